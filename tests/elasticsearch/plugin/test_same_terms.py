"""The plug-in and the client make the same terms of the same tokens."""

from __future__ import annotations

import random
import sys
import unicodedata
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest

from tests.analyzers.golden import SAMPLERS
from tests.analyzers.streams import CLASS_NAMES, Token, letters, stream, words
from tests.elasticsearch.plugin.building import Streams, sources_of_lucene
from wherefrom.analyzers.analysis import analyze_file, analyze_snippet
from wherefrom.analyzers.fingerprints import document_terms, sample, sampled_kgrams
from wherefrom.analyzers.hashing import kgram_hashes, mix, terms
from wherefrom.analyzers.insides import characters
from wherefrom.analyzers.representations import segment_spans
from wherefrom.analyzers.schemes import SCHEMES, Scheme
from wherefrom.engines.elasticsearch.documents import encode_terms
from wherefrom.engines.terms import shortened
from wherefrom.model import OF_TOKENS, STORED_BITS, Representation, SkipReason
from wherefrom.options import Limits
from wherefrom.queries.plugin import plugin_terms, stream_fields
from wherefrom.support.chunks import chunks

STREAMS, DRAWS = 10_000, 10
"""Random streams of a draw, and draws."""

POOLS = (
    words('a b c ( . -> :: ; = 1 "s" if'),  # ties, and names that are kept or not
    words(" ".join(f"name{number}" for number in range(30)) + ' ( ) . , 1 2 "x" "y"'),
    words("größe 数 𝔘 🙂 é ( . -> \u200b ;"),
)
LETTERS = (letters("ab"), letters("abcdefgh1234"), letters("aβ数𝔘é1"))


@dataclass(frozen=True)
class Case:
    """Random tokens, and how they are winnowed."""

    tokens: list[Token]
    scheme: Scheme
    sampler: str


def random_cases(seed: int) -> Iterator[Case]:
    """The `STREAMS` random cases of a seed."""
    draw = random.Random(seed)
    for _ in range(STREAMS):
        representation = draw.choice(OF_TOKENS)
        pool = draw.choice(LETTERS if representation is Representation.TEXT else POOLS)
        tokens = draw.choices(pool, k=draw.choice((0, 1, 5, 12, 25, 60)))
        sampler = draw.choice(list(SAMPLERS))
        k, w = draw.choice((1, 2, 3, 5, 8, 20)), draw.choice((1, 2, 3, 4, 7, 16, 40))
        yield Case(tokens, Scheme(representation, k, w, sampler=SAMPLERS[sampler]), sampler)


def expected(case: Case) -> list[tuple[str, int, int, int]]:
    """Term, position, start and end of each fingerprint; offsets in characters, with a blank between two tokens."""
    tokens, scheme = stream(case.tokens), case.scheme
    grams = sampled_kgrams(tokens, scheme)
    kept = sample(grams, scheme)
    found = [int(shortened(terms(grams.hashes[at : at + 1]), STORED_BITS[0])[0]) for at in kept.tolist()]
    lengths = [len(symbol.decode().encode("utf-16-le")) // 2 for symbol, _ in case.tokens]
    ends = (np.cumsum(np.array(lengths, np.int64) + 1) - 1).tolist()
    positions = grams.positions[kept].tolist()
    return [
        (term, at, ends[at] - lengths[at], ends[at + scheme.k - 1])
        for term, at in zip(encode_terms(np.array(found, np.uint64)), positions, strict=True)
    ]


@pytest.mark.nightly
@pytest.mark.matrix
@pytest.mark.parametrize("seed", range(DRAWS))
def test_no_stream_of_random_tokens_is_winnowed_differently(streams: Streams, seed: int) -> None:
    drawn = list(random_cases(seed))
    questions = (
        {
            "tokens": [[symbol.decode(), CLASS_NAMES[kind]] for symbol, kind in case.tokens],
            "winnow": {
                "representation": str(case.scheme.representation),
                "k": case.scheme.k,
                "w": case.scheme.w,
                "sampler": case.sampler,
            },
        }
        for case in drawn
    )
    compared = 0
    for case, answer in zip(drawn, streams.ask_all(questions), strict=True):
        found = [(it["term"], it["position"], it["start"], it["end"]) for it in answer]
        assert found == expected(case), case
        compared += len(found)
    assert compared > STREAMS


def test_letters_and_digits_are_those_of_the_client_in_all_of_unicode(streams: Streams) -> None:
    unknown = set(streams.ask(unassigned=True))
    known = [
        point
        for point in range(sys.maxunicode + 1)
        if unicodedata.category(chr(point)) not in {"Cn", "Cs"} and point not in unknown
    ]
    assert len(known) > 280_000
    winnow = {"representation": "text", "k": 1, "w": 1}
    for part in chunks(known, 50_000):
        text = " ".join(map(chr, part))
        found = [it["term"] for it in streams.ask(tokenizer="text", text=text, winnow=winnow)]
        hashes = kgram_hashes(characters(text.encode()).codes, 1)
        assert found == encode_terms(mix(hashes) >> np.uint64(24))


PROSE = (
    """\
Winnowing keeps the least hash of every window; so a shared run is always seen twice, whatever is around it.
Größe, naïveté, 数学 und ΑΒΓ: 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 beyond the basic plane counts, 🙂 does not. İstanbul has 15 million people.
"""
    * 3
)


def test_the_text_analyzer_gives_the_terms_of_prose(streams: Streams) -> None:
    analysis = analyze_snippet(PROSE.encode(), language="text")
    found = streams.ask(tokenizer="text", text=PROSE, winnow={"representation": "text"})
    wanted = plugin_terms(document_terms(analysis.tokens)[Representation.TEXT])
    assert {it["term"] for it in found} == set(wanted)
    assert len(wanted) > 3
    scheme = SCHEMES[Representation.TEXT]
    units = PROSE.encode("utf-16-le")  # offsets count its units
    for it in found:
        piece = units[2 * it["start"] : 2 * it["end"]].decode("utf-16-le")
        assert sum(map(str.isalnum, piece)) == scheme.k


MIXED = """\
# A page

Some words before the code, long enough to be winnowed by themselves: they go on for a line or two, until the block.

```python
def area(points):
    return sum(x * y for x, y in points) / len(points) + total(points).value * 2
```

And prose again, which belongs to another part of the page than the words before the code, and is winnowed alone.

```js
const area = (points) => points.reduce((sum, [x, y]) => sum + x * y, 0) / points.length + total(points).value;
```
"""


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("page.md", MIXED),
        ("prose.txt", PROSE),
        ("empty.py", ""),
        ("short.py", "x = 1"),
        *((path.name, path.read_text()) for path in sorted((Path(__file__).parents[2] / "analyzers").glob("*.py"))),
    ],
)
def test_a_field_of_tokens_that_is_winnowed_by_the_server_has_the_terms_of_the_client(
    streams: Streams, name: str, content: str
) -> None:
    fields = stream_fields(analyze_snippet(content.encode(), name=name).tokens)
    for representation in OF_TOKENS:
        found: set[str] = set()
        for value in fields["tokens"]:
            winnow = {"representation": str(representation)}
            found |= {it["term"] for it in streams.ask(tokenizer="tokens", text=value, winnow=winnow)}
        assert found == set(fields.get(f"terms_{representation}", []))


def test_each_segment_is_a_value_of_a_field_of_tokens() -> None:
    tokens = analyze_snippet(MIXED.encode(), name="page.md").tokens
    values = stream_fields(tokens)["tokens"]
    assert [len(value.split(" ")) for value in values] == [end - begin for begin, end in segment_spans(tokens)]
    assert {value[0] for value in values} >= {"c", "y"}


def real_files(language: str) -> list[tuple[str, bytes]]:
    """About 60 files of other projects in a language; every machine that runs the tests has them."""
    if language == "java":
        with zipfile.ZipFile(sources_of_lucene()) as archive:
            names = sorted(name for name in archive.namelist() if name.endswith(".java"))
            return [(name, archive.read(name)) for name in names[:: len(names) // 60]]
    folder, ending = {
        "python": (Path(random.__file__).parent, ".py"),
        "c": (Path(np.get_include()), ".h"),
        "javascript": (Path(mpl.__file__).parent, ".js"),
    }[language]
    paths = sorted(
        path for path in folder.rglob(f"*{ending}") if "site-packages" not in path.parts[len(folder.parts) :]
    )
    return [(path.name, path.read_bytes()) for path in paths[:: max(len(paths) // 60, 1)]]


@pytest.mark.nightly
@pytest.mark.matrix("language")
@pytest.mark.parametrize("given", [True, False], ids=["named", "guessed"])
@pytest.mark.parametrize("language", ["java", "c", "javascript", "python"])
def test_nine_of_ten_terms_of_real_code_come_out_equal(streams: Streams, language: str, given: bool) -> None:
    same = wanted = files = 0
    for name, content in real_files(language):
        found = analyze_file(name, content, Limits())
        if isinstance(found, SkipReason) or found.language != language or len(content) > 300_000:
            continue
        made = document_terms(found.tokens).get(Representation.EXACT, np.empty(0, np.uint64))
        client = set(plugin_terms(made))
        question: dict[str, Any] = {"tokenizer": "code", "text": content.decode(), "winnow": {}}
        server = {it["term"] for it in streams.ask(**question, **({"language": language} if given else {}))}
        files += 1
        same += len(client & server)
        wanted += len(client)
    assert files >= 3
    assert same >= 0.9 * wanted > 500
