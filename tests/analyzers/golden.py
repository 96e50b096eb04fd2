"""Golden vectors of the scheme, which the Python and the Java tests read: `golden.json`.

The scheme is written twice, here and in the Elasticsearch plug-in, and this file is all that the two share. It is in
the folder of the plug-in, which builds and is tested without the rest of the project. A change of the scheme in one of
the two fails its tests until the other one follows. After a change that is meant, raise the version beside the code and
write the file again:

    python -m tests.analyzers.golden > elasticsearch-plugin/src/test/resources/golden.json
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.analyzers.streams import CLASS_NAMES, Token, letters, stream, words
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.fingerprints import sample, sampled_kgrams
from wherefrom.analyzers.hashing import term_of, token_code
from wherefrom.analyzers.insides import characters
from wherefrom.analyzers.schemes import SCHEMES, Scheme
from wherefrom.engines.elasticsearch.documents import encode_terms
from wherefrom.engines.terms import shortened
from wherefrom.model import OF_TOKENS, STORED_BITS

FILE = Path(__file__).parents[2] / "elasticsearch-plugin" / "src" / "test" / "resources" / "golden.json"

SAMPLERS = {"open_closed": "open_closed", "robust": "robust_winnow", "plain": "winnow"}
"""The names of the samplers in the settings of the plug-in, and here."""

SYMBOLS = (
    *("", "x", "def", "->", "(", "naïve", "数", "𝔘𝔫", "🙂", "\ufffd"),
    *("fifteen_letters", "sixteen_letters_", "seventeen_letters", '"a string of more than sixteen bytes"'),
    *("\0first", "\0string", "\0number", "\0distance 1", "\0distance 63"),
)

TEXTS = (
    "Plain words, 2 digits: 42!",
    "Größe ΑΒΓ Σ İstanbul ǅ ﬁ ² ½ Ⅳ ٣ 数学 한글 ℵ ª ʰ",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𐐀𐐨 𠀀 🙂 𝟙𝟚 𞤀",
    "",
    " \t\n.,;-_",
)

REPEATED = words("a = b ; " * 12)
MIXED = words(
    "def area ( self , points ) : total = 0 for p in points : total = total + p . x * p -> y + self . width ( p ) - "
    '"s" other :: total ( total ) ; return total . area ( ) if points else { "key" : total , 3 : p } points [ 0 ] . x '
    "= total"
)
WIDE = words("größe = 数 . 名前 ( 𝔘 , 🙂 ) ; 𝔘 = 𝔘 + größe ; 🙂 ( 数 )")
PROSE = letters("".join(f"The quick brown fox {number} jumps over Δ the lazy 𝔘 dog. " for number in range(6)).lower())


SOURCES = {
    "c": """int f(char *a) { char b[] = {'\\x41', L'b',}; return printf("\\x41\\n%s" "c", a) + 0XFFul + 1.50e+5; }\n""",
    "cpp": """auto a = 1'000'000 + 0B101; auto b = f<A>(u8"x", "\\u00e9\\101",);\n""",
    "java": """class A { String b = "\\u0041\\t"; long c = 1_000L + 0XFF; char d = '\\''; }\n""",
    "javascript": """const a = `b ${c.d} e${`f`}` + 'g"\\'\\x41' + "h\\
i" + 0XFF + 1_000 + .50;
let j = (k) => [(l), m,];
if (n) { f((o && p) || `q${{r: 1}.r}`); } f(()=>1)(2);
""",
    "python": """def f(a, b,):
    '''Doc
       string.'''
    c = f'x {a + 1!r:>{b}} {{y}} {d["e"]}' + u"z" + r'\\d' + rb'x' + f"{a}"
    if (a and b): return (c,); print(1_000, 0XFF, 1.50, .5)
    g = ()
    h = (a +
         b)
""",
    "shell": """cd "$( dirname -- "$0" )/x" && echo "a $b c ${d}e" 'it' "\\$f" "`pwd`"; x="y"
""",
}
"""Code with the literals, the code in strings and the noise of formatters that each language has."""


@dataclass(frozen=True)
class Case:
    """Tokens and the settings by which they are sampled."""

    about: str
    tokens: Sequence[Token]
    scheme: Scheme


def cases() -> list[Case]:
    """All streams of `golden.json`."""
    exact, renamed, p_match, text = OF_TOKENS
    made = [Case(f"the scheme {key}", PROSE if key is text else MIXED, scheme) for key, scheme in SCHEMES.items()]
    for name, sampler in SAMPLERS.items():
        made += [
            Case(f"ties, {name}", REPEATED, Scheme(exact, 2, 3, sampler=sampler)),
            Case(f"all alike, {name}", words("; " * 20), Scheme(exact, 3, 4, sampler=sampler)),
            Case(f"a window of one, {name}", MIXED[:20], Scheme(exact, 4, 1, sampler=sampler)),
            Case(
                f"fewer k-grams than a window, with ties, {name}", REPEATED[:9], Scheme(exact, 2, 30, sampler=sampler)
            ),
            Case(f"repeated letters, {name}", letters("abab" * 10), Scheme(text, 3, 5, sampler=sampler)),
        ]
    for representation in (exact, renamed, p_match):
        made += [
            Case("every k-gram", MIXED, Scheme(representation, 5, 1)),
            Case("names far apart", MIXED, Scheme(representation, 24, 2)),
            Case("beyond the basic plane", WIDE, Scheme(representation, 3, 2)),
            Case("exactly one k-gram", MIXED[:6], Scheme(representation, 6, 4)),
            Case("a token too few", MIXED[:5], Scheme(representation, 6, 4)),
            Case("one token", MIXED[1:2], Scheme(representation, 1, 1)),
            Case("nothing", (), Scheme(representation, 4, 4)),
        ]
    made += [
        Case("a name at the end, which nothing calls", words("f ( x ) . x"), Scheme(renamed, 2, 1)),
        Case("a name at the beginning", words("( f ( f"), Scheme(renamed, 2, 1)),
        Case("every mark of a member", words("a . a -> a :: a ?. a ?-> a &. a !!. a + a"), Scheme(renamed, 3, 1)),
        Case("the greatest k of distances", MIXED * 3, Scheme(p_match, 64, 8)),
        Case("a letter too few", letters("abc"), Scheme(text, 4, 4)),
        Case("a window of a query", PROSE, Scheme(text, 32, 128)),
    ]
    return made


def vectors() -> dict[str, Any]:
    """The vectors that the code makes now."""
    return {
        "schemes": {
            str(key): {"k": scheme.k, "w": scheme.w, "term_bits": STORED_BITS[0], "sampler": scheme.sampler}
            for key, scheme in SCHEMES.items()
        },
        "codes": [{"symbol": symbol, "code": f"{token_code(symbol.encode()):010x}"} for symbol in SYMBOLS],
        "characters": [
            {"text": text, "codes": [f"{code:010x}" for code in characters(text.encode()).codes.tolist()]}
            for text in TEXTS
        ],
        "streams": [_vector(case) for case in cases()],
        "sources": [_source(language, text) for language, text in SOURCES.items()],
    }


def _source(language: str, text: str) -> dict[str, Any]:
    tokens = analyze_snippet(text.encode(), language=language).tokens
    return {"language": language, "text": text, "codes": [f"{code:010x}" for code in tokens.codes.tolist()]}


def _vector(case: Case) -> dict[str, Any]:
    scheme = case.scheme
    grams = sampled_kgrams(stream(case.tokens), scheme)
    kept = sample(grams, scheme)
    terms = encode_terms(shortened(term_of(grams.hashes[kept]), STORED_BITS[0]))
    return {
        "about": case.about,
        "representation": str(scheme.representation),
        "k": scheme.k,
        "w": scheme.w,
        "sampler": next(name for name, sampler in SAMPLERS.items() if sampler == scheme.sampler),
        "tokens": [[symbol.decode(), CLASS_NAMES[kind]] for symbol, kind in case.tokens],
        "hashes": [f"{value:016x}" for value in grams.hashes.tolist()],
        "kept": grams.positions[kept].tolist(),
        "terms": terms,
    }


def written(made: dict[str, Any]) -> str:
    """The text of the file, a line for each vector."""
    parts = [f'"schemes": {json.dumps(made["schemes"])}']
    for name in ("codes", "characters", "streams", "sources"):
        lines = ",\n".join(json.dumps(vector, ensure_ascii=True) for vector in made[name])
        parts.append(f'"{name}": [\n{lines}\n]')
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    print(written(vectors()), end="")
