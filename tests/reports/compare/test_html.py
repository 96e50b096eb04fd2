"""The page of a comparison as it is written: its contents, its size, and the names in it."""

from __future__ import annotations

import json
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from turbohtml import parse

from tests.reports.compare.made import comparison, reviewed, with_author
from tests.reports.compare.unpacked import all_text, unpacked
from wherefrom.compare.pairing import pair_id
from wherefrom.compare.reviews import read_reviews
from wherefrom.errors import UsageError
from wherefrom.model import Occurrence
from wherefrom.reports.compare import html, page_data
from wherefrom.reports.compare.names import Names, Pseudonyms, read_key, with_key
from wherefrom.results import ComparedFile, Comparison, Region, Review, ReviewState
from wherefrom.results.locations import Texts


def page(made: Comparison, names: Names | None = None, most: int = page_data.MOST_BYTES) -> str:
    return "".join(html.write(made, names, most=most))


@pytest.mark.thorough
def test_each_source_is_in_the_page_once_and_every_pair_is_present() -> None:
    made = comparison(20, shared=0.7, pool=12)
    data = unpacked(page(made))
    sources = [source for name, block in data.items() if name.startswith("sources") for source in block]
    pairs = [pair for name, block in data.items() if name.startswith("pairs") for pair in block]
    assert len(pairs) == len(made.pairs) == len(data["overview"]["pairs"]["id"])
    used = {number for pair in made.pairs for files in pair.files for number in (files.left, files.right)}
    assert len(sources) == len(used)
    for number in used:
        block, place = data["overview"]["files"]["places"][number]
        content = made.content(number)
        assert content is not None
        assert data[f"sources-{block}"][place]["text"] == content.decode()
    first = made.pairs[0].files[0]
    [files] = pairs[0]
    assert [region[9] for region in files[6]] == [region.tokens for region in first.regions]
    left = made.content(first.left)
    assert left is not None
    for region, match in zip(files[6], first.regions, strict=True):
        assert left[region[0] : region[1]] == left[match.left.start_byte : match.left.end_byte]


@pytest.mark.nightly
@pytest.mark.slow
def test_ten_thousand_pairs_of_a_thousand_files_take_less_than_ten_megabytes() -> None:
    made = comparison(1000, shared=0.5, pool=1500, functions=30)
    made = replace(made, pairs=made.pairs[:10_000])
    assert len(made.pairs) == 10_000
    written = page(made)
    assert len(written) < 10_000_000
    assert len(unpacked(written)["overview"]["pairs"]["id"]) == 10_000


@pytest.mark.thorough
def test_the_weakest_pairs_are_left_out_of_a_page_that_is_too_large() -> None:
    made = comparison(30, shared=0.7, pool=14)
    most = 25_000
    written = page(made, most=most)
    shown = len(unpacked(written)["overview"]["pairs"]["id"])
    assert 0 < shown < len(made.pairs)
    packed = sum(len(one.text) for one in parse(written).select('script[type="text/plain"]'))
    assert most / 2 < packed < most
    assert unpacked(written)["overview"]["answered"] == len(made.pairs)


NAMES = {0: "augusta_lovelace/exercise.py", 1: "grace_hopper/exercise.py"}
SIGNED = {
    0: b"# by Augusta Lovelace <augusta@example.org>, with thanks to Grace\n",
    1: b"__author__ = 'GRACE HOPPER'\n",
}


@pytest.mark.slow
def test_names_are_nowhere_in_an_anonymous_page(tmp_path: Path) -> None:
    named = comparison(6, shared=1.0, pool=10, names=NAMES, replaced=SIGNED)
    key = tmp_path / "key.json"
    written = page(named, with_key(named, key))
    for word in ("augusta", "lovelace", "grace", "hopper", "example.org", named.pairs[0].id):
        assert word in all_text(page(named))
        assert word not in all_text(written)
    names = json.loads(key.read_text())["names"]
    assert sorted(names.values()) == sorted(submission.name for submission in named.submissions)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    # Replacing names does not move the matches.
    data = unpacked(written)
    number = next(at for at, pair in enumerate(named.pairs) if pair.left == 0)
    block, place = data["overview"]["pairs"]["place"][number]
    [files] = data[f"pairs-{block}"][place]
    block, place = data["overview"]["files"]["places"][0]
    text = data[f"sources-{block}"][place]["text"]
    assert all(text[region[0] :].startswith("def compute_") for region in files[6])


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Augusta wrote it, AUGUSTA_LOVELACE", "submission-1 wrote it, submission-1"),
        ("team_1 and team_12, a team", "submission-3 and team_12, a team"),
        ("augustan lovelaces", "augustan lovelaces"),
        ("lovelace2, augustaLovelaceSum, class AugustaMain", "submission-12, submission-1Sum, class submission-1Main"),
        ("augustalovelace, alovelace, LovelaceAugusta", "submission-1, submission-1, submission-1"),
        ("# Author: Augusta King (née Byron) */", "# Author: submission-1 */"),
        (" * @author Li Wu, ü1\nint li = 1;", " * @author [name]\nint li = 1;"),
        (
            "// Name: Li Wu\r\n// Student ID: 4711\r\nname: str = x",
            "// Name: [name]\r\n// Student ID: [name]\r\nname: str = x",
        ),
        ("# by Li Wu\n# by hand\nvisited by: 3", "# by [name]\n# by hand\nvisited by: 3"),
        ("__author__ = 'Li Wu'", "__author__ = '[name]'"),
        ("authors: list[str] = f()", "authors: [name]"),  # all of the value is replaced, because it may contain a name
        ("open('/home/li/data') C:\\Users\\li\\x", "open('/home/[name]/data') C:\\Users\\[name]\\x"),
        (
            "https://github.com/liwu/hw and git@github.com:liwu/hw",
            "https://github.com/[name]/hw and [address]:[name]/hw",
        ),
        ("mail to x.augusta@example.org, or augusta", "mail to [address], or submission-1"),
        ("__author__ = 's0815'", "__author__ = 'submission-2'"),
        ("@example.org a@b", "@example.org a@b"),
        ("a" * 1_000_000, "a" * 1_000_000),  # a pattern that starts over at each letter would take hours
        *((unit * 100_000, unit * 100_000) for unit in ("*", " ", "/* ", "aB", "by ", "@a")),
        ("", ""),
    ],
)
def test_whole_names_are_replaced_and_their_words(text: str, shown: str) -> None:
    names = {0: "augusta_lovelace/main.py", 1: "s0815/main.py", 2: "team_1/main.py", 3: "team_2/main.py"}
    made = comparison(4, names=names)
    for number, author in enumerate(("augusta_lovelace", "s0815", "team_1", "team_2")):
        made = with_author(made, number, author)
    pseudonyms = Pseudonyms(made, "secret", {name: f"submission-{number + 1}" for number, name in names.items()})
    assert pseudonyms.text(text) == shown


def test_a_file_name_of_several_people_is_no_pseudonym() -> None:
    names = {0: "augusta/solution.py", 1: "grace/solution.py", 2: "grace/sum.py"}
    made = comparison(3, names=names)
    for number, author in enumerate(("augusta", "grace hopper", "grace hopper")):
        made = with_author(made, number, author)
    pseudonyms = Pseudonyms(made, "secret", {name: f"submission-{number + 1}" for number, name in names.items()})
    assert (
        pseudonyms.text("solution of Grace, ghopper, hopper") == "solution of submission-2, submission-2, submission-2"
    )


def test_a_key_keeps_its_pseudonyms_and_takes_new_names(tmp_path: Path) -> None:
    key = tmp_path / "key.json"
    first = with_key(comparison(4, shared=1.0, pool=4), key)
    again = with_key(comparison(6, shared=1.0, pool=4), key)
    assert [first.submission(number) for number in range(4)] == [again.submission(number) for number in range(4)]
    assert len({again.submission(number) for number in range(6)}) == 6
    other = with_key(comparison(6, shared=1.0, pool=4), tmp_path / "other.json")
    assert other.pair("abc") != again.pair("abc")


def test_reviews_of_an_anonymous_page_are_read_back(tmp_path: Path) -> None:
    made = comparison(6, shared=1.0, pool=10)
    names = with_key(made, tmp_path / "key.json")
    file = tmp_path / "reviews.json"
    pair = made.pairs[1]
    exported = {
        "pair": names.pair(pair.id),
        "left": names.submission(pair.left),
        "right": names.submission(pair.right),
        "state": "relevant",
        "note": "both",
    }
    file.write_text(json.dumps({"format": 1, "reader": 1, "reviews": [exported]}))
    _, known = read_key(tmp_path / "key.json")
    reviews = read_reviews(file, known)
    assert reviews == {pair_id(made.name(pair.left), made.name(pair.right)): Review(ReviewState.RELEVANT, "both")}
    data = unpacked("".join(html.write(reviewed(made, {pair.id: Review(ReviewState.RELEVANT, "both")}), names)))
    assert data["overview"]["reviews"] == {names.pair(pair.id): {"state": "relevant", "note": "both"}}


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"format": 1, "reader": 1, "reviews": [{"pair": 1, "state": "relevant"}]}', "\x00", "[" * 10**5],
)
def test_a_file_that_is_not_an_export_of_reviews_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "reviews.json"
    file.write_text(text)
    with pytest.raises(UsageError, match=r"holds no reviews; name a file that the page of a comparison exported"):
        read_reviews(file)
    with pytest.raises(UsageError, match="cannot read the reviews"):
        read_reviews(tmp_path / "none.json")


def test_reviews_of_a_newer_version_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "reviews.json"
    file.write_text('{"format": 9, "reader": 9, "reviews": []}')
    with pytest.raises(UsageError, match="newer version"):
        read_reviews(file)


@pytest.mark.parametrize("text", ["", "[]", '{"format": 1, "reader": 1, "secret": 1, "names": {}}'])
def test_a_file_that_is_not_a_key_is_refused_and_stays(tmp_path: Path, text: str) -> None:
    key = tmp_path / "key.json"
    key.write_text(text)
    with pytest.raises(UsageError, match="is not a key of --anonymize"):
        with_key(comparison(3), key)
    assert key.read_text() == text


def test_the_page_without_pairs_is_complete() -> None:
    made = comparison(3, shared=0.0)
    assert made.pairs == ()
    document = parse(page(made))
    assert document.select("#overview")
    assert "no pairs found among 3 submissions" in document.select(".lead")[0].text


def test_a_comparison_of_files_in_utf_16_and_with_long_lines_is_shown() -> None:
    made = comparison(3, shared=1.0, pool=4)
    pair = made.pairs[0]
    long = b"x = '" + b"a" * 50_000 + b"'\n"
    number = pair.files[0].left
    content = made.content(number)
    assert content is not None
    path = made.files[number].occurrence.path

    def read(at: Occurrence) -> bytes | None:
        return content + long if at.path == path else made.texts.at(at)

    file = replace(made.files[number], boilerplate=(Region(len(content), len(content) + 9, 1, 1),))
    files: tuple[ComparedFile, ...] = tuple(file if at == number else one for at, one in enumerate(made.files))
    data = unpacked(page(replace(made, texts=Texts(None, read), files=files)))
    block, place = data["overview"]["files"]["places"][number]
    text = data[f"sources-{block}"][place]["text"]
    assert "characters left out⟩" in text
    assert len(text) < len(content) + 1000
