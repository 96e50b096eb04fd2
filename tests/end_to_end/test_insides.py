"""The installed command finds lines inside a literal or comment of an indexed file."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tests.end_to_end.conftest import Wherefrom

STORY = """\
Collects the open invoices of a customer and sorts them
by the day on which they are due, the oldest first.
Invoices that were sent back are left out, and so are
those of other currencies, unless the caller asks for
them by name. Amounts are rounded to whole cents only
after they were added up, since the tax office does so.
A customer without invoices gets an empty statement,
which is not an error but worth a line in the journal.
"""
SQL = """\
SELECT invoices.number, customers.name, sum(lines.amount) AS total
FROM invoices
JOIN customers ON customers.id = invoices.customer
JOIN lines ON lines.invoice = invoices.id
WHERE invoices.due < current_date - interval '30 days'
  AND customers.country IN ('CH', 'AT', 'DE')
GROUP BY invoices.number, customers.name
HAVING sum(lines.amount) > 100
ORDER BY total DESC
"""
SHADER = """\
precision mediump float;
uniform sampler2D texture;
uniform vec2 wind;
varying vec2 place;
void main() {
  vec4 near = texture2D(texture, place + wind * 0.01);
  float foam = smoothstep(0.4, 0.9, dot(near.rgb, vec3(0.3, 0.6, 0.1)));
  gl_FragColor = mix(near, vec4(1.0, 0.97, 0.9, 1.0), foam);
}
"""
SESSION = """\
>>> ledger = Ledger('north', currency='CHF')
>>> ledger.book('rent', 1200.50)
>>> ledger.book('heating', 310)
>>> ledger.total()
Decimal('1510.50')
>>> ledger.book('cake', -3)
Traceback (most recent call last):
NegativeAmount: cake
>>> [entry.name for entry in ledger]
['rent', 'heating']
"""
MENU = """\
usage: harvest [--field NAME] [--until DATE] ROWS
  --field NAME    only the rows of this field
  --until DATE    not after this day (default: today)
  --wet           also when the ground is wet
  --report FILE   where to write what was brought in
  --dry-run       tell what would be done, but stay home
  --quiet         say nothing unless a row was missed
"""
ORCHARD = """\
oak gala 1
elm fuji 2
ash cox 3
fir russet 4
yew pippin 5
box elstar 6
bay jona 7
fig braeburn 8
nut idared 9
may topaz 10
"""
PARCELS, VOUCHERS = STORY.replace("invoice", "parcel"), SQL.replace("invoice", "voucher").replace("lines", "rows")
TENANTS, WEEKS = STORY.replace("customer", "tenant"), SQL.replace("30 days", "9 weeks").replace("CH", "FR")
MEADOWS = MENU.replace("field", "meadow").replace("row", "bale")
VINEYARDS = MENU.replace("field", "vineyard").replace("row", "grape")


def indented(text: str, by: str = "    ") -> str:
    return textwrap.indent(text, by)


def commented(text: str, mark: str) -> str:
    return "".join(f"{mark} {line}\n" for line in text.splitlines())


FILES = {
    "statement.py": f'def statement(customer):\n    """\n{indented(STORY)}    """\n    return open_of(customer)\n',
    "Overdue.java": f'class Overdue {{\n  static final String ALL = """\n{indented(SQL)}    """;\n}}\n',
    "overdue.go": f"package overdue\n\nconst all = `\n{WEEKS}`\n",
    "Statement.java": f"package a;\n\n/**\n{commented(PARCELS, ' *')} */\nclass Statement {{}}\n",
    "queries.py": f'RUN = run("""\n{VOUCHERS}""", 3)\n',
    "sea.js": f"const program = compile(gl, `\n{SHADER}`);\n",
    "harvest.sh": f"set -e\nhelp() {{\n  cat <<EOF\n{MENU}EOF\n}}\nhelp\n",
    "harvest.php": f"<?php\necho <<<EOF\n{MEADOWS}EOF;\nrun();\n",
    "harvest.rb": f"HELP = <<~EOF\n{indented(VINEYARDS, '  ')}EOF\n",
    "ledger.py": f'class Ledger:\n    """Keeps books.\n\n{indented(SESSION)}    """\n',
    "statement.c": f"int a;\n\n/*\n{indented(TENANTS, ' * ')} */\nint statement(int n) {{ return n; }}\n",
    "orchard.rs": f"pub fn rows() -> usize {{\n    1\n}}\n\n{commented(ORCHARD, '//')}pub fn end() {{}}\n",
    "plain.py": "def add(first, second):\n    return first + second\n",
}


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Wherefrom:
    folder = tmp_path_factory.mktemp("insides")
    (folder / "project").mkdir()
    for name, text in FILES.items():
        (folder / "project" / name).write_text(text)
    command = Wherefrom(folder)
    command("index", folder / "project")
    return command


def inside(name: str) -> tuple[int, str]:
    """The number of the first line of seven lines inside, and these lines."""
    lines = FILES[name].splitlines(keepends=True)
    marks = {"statement.py": 3, "Statement.java": 4, "ledger.py": 4, "statement.c": 4, "harvest.sh": 4, "orchard.rs": 6}
    first = marks.get(name, next((at for at, line in enumerate(lines) if "SELECT" in line or "precision" in line), 2))
    return first + 1, "".join(lines[first : first + 7])


@pytest.mark.matrix("name")
@pytest.mark.parametrize("name", [name for name in FILES if name != "plain.py"])
@pytest.mark.parametrize("given", ["", "a.txt", "of_its_kind"])
def test_seven_lines_inside_are_found_first(indexed: Wherefrom, name: str, given: str) -> None:
    first, piece = inside(name)
    path = indexed.folder / {"": "piece", "a.txt": "a.txt"}.get(given, f"piece{Path(name).suffix}")
    path.write_text(piece)
    [hit, *_] = indexed.json("search", path)["hits"]
    [place] = hit["occurrences"]
    assert place["path"] == name
    assert hit["strength"] == "strong"
    assert first - 1 <= place["lines"]["start_line"] <= first + 1
    assert first + 5 <= place["lines"]["end_line"] <= first + 7


CODE = """\
def total_of(entries, currency):
%s    kept = [entry.amount for entry in entries if entry.currency == currency]
    return round(sum(kept), 2) if kept else None
"""


def test_code_is_found_whatever_its_docstring_is(indexed: Wherefrom) -> None:
    docstring = f'    """\n{indented(STORY)}    """\n'
    (indexed.folder / "code").mkdir()
    for name, text in (("with", docstring), ("without", "")):
        (indexed.folder / "code" / f"{name}.py").write_text(CODE % text)
    index = indexed.folder / "code.wherefrom"
    indexed("index", indexed.folder / "code", "--index", index)
    for text in (docstring, "", '    """Adds up what is of one currency."""\n'):
        (indexed.folder / "piece.py").write_text(CODE % text)
        hits = indexed.json("search", indexed.folder / "piece.py", "--index", index)["hits"]
        assert sorted(at["path"] for hit in hits for at in hit["occurrences"]) == ["with.py", "without.py"]
