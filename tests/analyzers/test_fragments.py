"""Fragments that begin inside a statement have the same tokens as in their file."""

from __future__ import annotations

import pytest

from wherefrom.analyzers.analysis import analyze_file, analyze_snippet
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.fragments import MOST_BYTES
from wherefrom.analyzers.lexing import lexer
from wherefrom.errors import ParseTimeout
from wherefrom.languages import LANGUAGES

C = b"""void end(struct line *line, const char *text, int size) {
  if (size == 0) {
    show("the line %s is empty", text);
  } else if (line->size < size) {
    line->end = size;
  }
}
"""
JAVA = b"""class Rows {
    void rows(byte type, long size) {
        for (byte one : Types.all(Type.LEAST, Type.MOST)) {
            Row[] rows = new Row[] {
                new Row(1L, "a".getBytes(), "1".getBytes()),
                new Row(2L, "b".getBytes(), "2".getBytes()),
            };
            Table table = Table.of(one, 0L, rows);
        }
    }
}
"""
PYTHON = b"""def stop(self, name: str, **options: int) -> None:
    self.names.remove(name)
    assert all(name in other for other in self.others)
"""
JAVASCRIPT = b"""function load(path) {
  if (path === "") {
    return start(path).catch(stop);
  } else {
    return stop();
  }
}
"""
ARROWS = b"""function count(tasks) {
  return function (error, ...rest) {
    running -= 1;
    for (var i = 0, l = tasks.length; i < l; i++) { total += tasks[i].size; }
  };
}
"""


def tokens(analysis: object, content: bytes, begin: int = 0) -> list[tuple[bytes, int, int]]:
    """The text, class and code of each token from a byte on."""
    assert isinstance(analysis, Analysis)
    stream = analysis.tokens
    rows = zip(
        stream.starts.tolist(), stream.ends.tolist(), stream.classes.tolist(), stream.codes.tolist(), strict=True
    )
    return [(content[start:end], kind, code) for start, end, kind, code in rows if start >= begin]


@pytest.mark.parametrize(
    ("path", "content", "begin"),
    [
        ("a.c", C, b"line *line"),
        ("a.c", C, b"(size == 0)"),
        ("a.c", C, b"line->size"),
        ("A.java", JAVA, b"(byte one"),
        ("A.java", JAVA, b"type, long"),
        ("a.py", PYTHON, b"(self"),
        ("a.py", PYTHON, b"in other"),
        ("a.js", JAVASCRIPT, b"path) {"),
        ("a.js", JAVASCRIPT, b'path === ""'),
        ("a.js", ARROWS, b"error, ..."),
    ],
)
def test_a_fragment_has_the_tokens_of_its_file(path: str, content: bytes, begin: bytes) -> None:
    at = content.index(begin)
    whole = analyze_file(path, content)
    assert isinstance(whole, Analysis)
    assert not whole.errors
    fragment = content[at:]
    found = analyze_snippet(fragment, language=whole.language)
    assert found.errors
    assert tokens(found, fragment) == tokens(whole, content, at)


def test_a_reserved_word_at_the_end_is_not_a_name_although_it_parses() -> None:
    content = b"async def load(self):\n    first = await self.start(1)\n    return first\n"
    whole = analyze_file("a.py", content)
    fragment = content[content.index(b"first") : content.index(b"self.start")]
    found = analyze_snippet(fragment, language="python")
    assert not found.errors
    begin = content.index(b"first")
    assert tokens(found, fragment) == tokens(whole, content, begin)[:3]


def test_a_reserved_word_after_a_dot_is_a_name() -> None:
    fragment = JAVASCRIPT[JAVASCRIPT.index(b"path) {") :]
    kinds = {text: kind for text, kind, _ in tokens(analyze_snippet(fragment, language="javascript"), fragment)}
    assert kinds[b"catch"] == kinds[b"start"]
    assert kinds[b"else"] != kinds[b"start"]


def test_a_long_text_has_the_tokens_of_a_file() -> None:
    long = C[C.index(b"line *line") :] + C * (MOST_BYTES // len(C) + 1)
    assert tokens(analyze_snippet(long, language="c"), long) == tokens(analyze_file("a.c", long), long)


PHP = b"""<?php
class Test {
    public function testKeeps() {
        $files->shouldReceive('put')->once()->with('foo.php', '<?php echo 1; ?>');
        $files->shouldReceive('get')->with("the text <?php echo 2;");
    }
}
"""


def test_an_opening_in_a_literal_does_not_open_a_fragment() -> None:
    at = PHP.index(b"public")
    fragment = PHP[at : PHP.rindex(b"}")].rstrip() + b"\n"
    found = tokens(analyze_snippet(fragment, language="php"), fragment)
    assert found == tokens(analyze_file("a.php", PHP), PHP, at)[: len(found)]
    assert len(found) > 30


@pytest.mark.parametrize(
    "literal",
    [b"'<b>' . '<?xml?>'", b"<<<EOF\n<b><?php\n// a\nEOF", b'"<?php\n echo 1;"', b"1; // <?php", b"1; /*\n<? */"],
)
def test_an_opening_in_any_literal_or_comment_does_not_open_a_fragment(literal: bytes) -> None:
    fragment = (
        b"public function page($name)\n{\n    $code = " + literal + b";\n    return $this->made($code, $name);\n}\n"
    )
    whole = b"<?php\nclass Page {\n" + fragment + b"}\n"
    found = tokens(analyze_snippet(fragment, language="php"), fragment)
    assert found == tokens(analyze_file("a.php", whole), whole, whole.index(b"public"))[: len(found)]
    assert len(found) > 20


def test_an_opening_in_an_attribute_opens_a_fragment() -> None:
    template = b"""<a href="<?= $address ?>">home</a>\n"""
    assert tokens(analyze_snippet(template, language="php"), template) == tokens(
        analyze_file("a.php", template), template
    )


@pytest.mark.parametrize("language", ["typescript", "tsx"])
def test_a_bracket_of_a_type_beside_an_assignment_is_not_an_operator(language: str) -> None:
    declared = b"let all:Array<string>=[];"
    fragment = b"} catch (e) {\n" + declared + b"\nif (a"
    begin = fragment.index(declared)
    found = [text for text, _, _ in tokens(analyze_snippet(fragment, language=language), fragment, begin)]
    assert found[found.index(b">") + 1] == b"="


@pytest.mark.parametrize("language", ["javascript", "rust"])
def test_text_of_quotes_that_nothing_closes_is_given_up_in_time(language: str) -> None:
    with pytest.raises(ParseTimeout, match=f"^parsing as {language} took longer than 0.05 s"):
        lexer(LANGUAGES[language]).split(b'\\"' * 500_000, 0.05)
