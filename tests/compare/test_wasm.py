"""A comparison by the kernel as WebAssembly, as a page makes it, is that of `wherefrom compare`."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from tests.compare.test_native import Given, comparisons
from tests.node import WEB, Node, built
from wherefrom import CompareOptions, Comparison, compare_sources
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.tokens import TokenStream, encode
from wherefrom.fitted import COMMON
from wherefrom.languages import LANGUAGES
from wherefrom.model import OF_TOKENS
from wherefrom.results import CompareParameters

pytestmark = [pytest.mark.usefixtures("with_kernel"), pytest.mark.slow]

SAMPLES = Path(__file__).parents[1] / "analyzers" / "samples"
COMPARING = Path(__file__).with_name("comparing.mjs")


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    with Node(COMPARING, WEB, built()) as process:
        yield process


def edited(source: str, seed: int) -> str:
    """A copy with other lines, some of them at another place."""
    dice = random.Random(seed)
    lines = source.splitlines(keepends=True)
    at = dice.randrange(len(lines))
    lines = [line for line in (*lines[at:], *lines[:at]) if dice.random() > 0.05]
    for _ in range(len(lines) // 12):
        lines.insert(dice.randrange(len(lines)), f"value{dice.randrange(9)} = {dice.randrange(99)};\n")
    return "".join(lines)


def write_samples(folder: Path) -> None:
    """Writes three submissions and an archive with the samples of all languages, edited."""
    for path in sorted(SAMPLES.glob("*.sample")):
        language = LANGUAGES[path.stem]
        name = language.extensions[0] if language.extensions else language.filenames[0]
        source = path.read_text("utf-8", "surrogateescape")
        for number, owner in enumerate(("ann", "bob", "eve", "old")):
            copy = folder / ("archive" if owner == "old" else "work") / owner / f"{path.stem}{name}"
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes((edited(source, number) if number else source).encode("utf-8", "surrogateescape"))
    (folder / "work" / "eve" / "é").mkdir()
    (folder / "work" / "eve" / "é" / "same.py").write_bytes((SAMPLES / "python.sample").read_bytes())
    (folder / "template.py").write_text("".join((SAMPLES / "python.sample").read_text().splitlines(keepends=True)[:30]))


def in_page(node: Node, comparison: Comparison, texts: Mapping[str, object], **given: Any) -> dict[str, Any]:
    """The result of the same comparison in a page. `texts` are the contents by id. Submissions and files come in an
    order that the page has to correct.
    """
    submissions = [
        {
            "name": own.name,
            "role": own.role,
            "author": own.author,
            "files": [
                {"text": [*texts].index(file.occurrence.blob), "path": file.path, "size": file.size}
                for file in (comparison.files[number] for number in reversed(own.files))
            ],
        }
        for own in reversed(comparison.submissions)
    ]
    answer = node.ask({"texts": [*texts.values()], "submissions": submissions, "template": [], **given})
    compared = comparison.counts.compared_pairs
    stages = {stage: None for stage, _, _ in answer["told"]}
    assert [*stages] == (["counting", "comparing", "done"] if compared else ["counting", "done"])
    assert answer["told"][-1] == ["done", compared, compared]
    result: dict[str, Any] = answer["result"]
    for file in result["files"]:
        assert isinstance(file.pop("text"), int)
    return result


def file_of(path: str, content: bytes | None) -> dict[str, str]:
    """A file as a page reads it."""
    assert content is not None
    return {"path": path, "bytes": base64.b64encode(content).decode()}


def files_of(comparison: Comparison) -> dict[str, object]:
    """The contents of a comparison by id."""
    return {
        file.occurrence.blob: file_of(file.path, comparison.content(number))
        for number, file in enumerate(comparison.files)
    }


def document_of(text: TokenStream) -> dict[str, object]:
    """A document as an analysis in a page makes it."""
    terms = [document_terms(text).get(representation) for representation in OF_TOKENS]
    return {
        "stream": base64.b64encode(encode(text, is_compressed=False)).decode(),
        "terms": [None if own is None else base64.b64encode(own.tobytes()).decode() for own in terms],
    }


def expected(comparison: Comparison) -> dict[str, Any]:
    """What the page has of a comparison. Regions have their gaps, and matches their facing lines."""
    whole = comparison.to_dict()
    files = [
        {name: value for name, value in file.items() if name not in {"repository", "revision", "blob", "statements"}}
        for file in whole["files"]
    ]
    for file, made in zip(comparison.files, files, strict=True):
        made["boilerplate"] = [asdict(region) for region in file.boilerplate]
    pairs = [asdict(pair) for pair in comparison.pairs]
    for pair in pairs:
        del pair["review"]
        for match in pair["files"]:
            match["is_translated"] = False
            for region in match["regions"]:
                region["tokens"] = region["left_span"][1] - region["left_span"][0]
    submissions = [asdict(submission) for submission in comparison.submissions]
    parts = {"files": files, "pairs": pairs, "submissions": submissions}
    made = {name: whole[name] for name in ("counts", "cut_off", "clusters")} | parts
    result: dict[str, Any] = json.loads(json.dumps(made))
    return result


def assert_same(found: dict[str, Any], comparison: Comparison) -> None:
    wanted = expected(comparison)
    assert found.keys() == wanted.keys()
    for name, value in wanted.items():
        assert found[name] == value, name


def test_files_of_all_languages(tmp_path: Path, node: Node) -> None:
    write_samples(tmp_path)
    template, work, archive = [tmp_path / "template.py"], [tmp_path / "work"], [tmp_path / "archive"]
    given = {"template": [file_of("template.py", template[0].read_bytes())]}
    for options in (
        CompareOptions(template=template, author_of=r"ann|bob|same"),
        CompareOptions(template=template, archive=archive, by="folder"),
        CompareOptions(template=template, with_sources=archive),
    ):
        comparison = compare_sources(work, options)
        assert comparison.counts.boilerplate_tokens > 0
        assert comparison.pairs
        assert_same(in_page(node, comparison, files_of(comparison), **given), comparison)
    everyone = compare_sources(work)
    languages = {everyone.files[pair.files[0].left].language for pair in everyone.pairs}
    assert languages == {path.stem for path in SAMPLES.glob("*.sample")}


@given(comparisons())
def test_any_comparison(node: Node, found: Given) -> None:
    found = replace(found, common=COMMON, ending="", options=replace(found.options, reviews=None))
    outcome = found.compared(by_kernel=False)
    parts = {name: getattr(outcome, name) for name in ("counts", "cut_off", "pairs", "clusters", "submissions")}
    nothing: dict[str, Any] = {"failed": (), "skipped": {}, "skipped_files": (), "files": tuple(outcome.files)}
    comparison = Comparison(parameters=CompareParameters(), **parts, **nothing)
    options = found.options
    given = {
        "template": [document_of(text) for text in found.template],
        "options": {
            "maxShare": options.max_share,
            "minTokens": options.min_tokens,
            "minContainment": options.min_containment,
            "clusterSimilarity": options.cluster_similarity,
            "limit": options.limit,
        },
    }
    texts = {f"{number:040}": document_of(text) for number, text in enumerate(found.texts)}
    assert_same(in_page(node, comparison, texts, **given), comparison)


def test_nothing_but_a_short_text(tmp_path: Path, node: Node) -> None:
    (tmp_path / "one.py").write_text("x = 1\n")
    comparison = compare_sources([tmp_path])
    assert comparison.counts.files == 1
    assert_same(in_page(node, comparison, files_of(comparison)), comparison)
