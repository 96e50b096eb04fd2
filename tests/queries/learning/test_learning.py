"""Code that many repositories share is proposed as boilerplate; code that one of them wrote is not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.end_to_end.edits import script
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.representations import KGrams, kgrams
from wherefrom.analyzers.schemes import SCHEMES, scheme_ids, token_scheme_ids
from wherefrom.engines.memory import MemoryEngine
from wherefrom.errors import BoilerplateError, UsageError
from wherefrom.indexer.work import Task, work
from wherefrom.model import BlobDocument, Occurrence, ProposalKind, RepositoryRecord, Representation
from wherefrom.options import LearnOptions, Limits, SearchOptions
from wherefrom.queries.learning import Proposals, dump_proposals, learn, load_proposals, shared_code
from wherefrom.queries.learning.learning import LearningProgress, least_repositories
from wherefrom.queries.learning.shared_code import FamilyCounts, contents_of
from wherefrom.queries.searching import search
from wherefrom.sources.source import blob_id

SHARED = """\
export function start(router, builder, log) {
  const form = builder.group({ name: ['', router.required], mail: ['', router.email] });
  log.info('starting', router.version, builder.options.target);
  router.params.subscribe((params) => {
    if (params.id !== undefined && params.id !== null) {
      form.patchValue({ name: params.name, mail: params.mail });
    } else {
      form.reset();
    }
  });
  return { form, router, saved: new log.Emitter() };
}
"""

MANAGE = """\
#!/usr/bin/env python
import os
import sys


def main():
    os.environ.setdefault("SETTINGS_MODULE", "{name}.settings")
    try:
        from framework.core.management import execute_from_command_line
    except ImportError as exc:
        raise ImportError("Is it installed? Did you activate a virtual environment?") from exc
    {name}_options = os.environ.get("{name}")
    execute_from_command_line(sys.argv, {name}_options)


if __name__ == "__main__":
    main()
"""

MIT = """\
MIT License

Copyright (c) {year} {holder}

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
"""

ZEROS = f"const zeros = [{'0, ' * 200}0];\n"


def index(
    repositories: Mapping[str, Mapping[str, str]], *, keep_source: bool = True, encoding: str = "utf-8"
) -> MemoryEngine:
    """An index of repositories whose clones no longer exist."""
    engine = MemoryEngine(scheme_ids())
    limits = Limits(include_generated=True)
    with engine.writer() as writer:
        for key, files in repositories.items():
            for path, text in files.items():
                content = text.encode(encoding)
                blob = blob_id(content)
                document = work(Task(blob, path, content, limits))
                assert isinstance(document, BlobDocument)
                if keep_source:
                    document = replace(document, stored=replace(document.stored, source=content))
                writer.add_blobs([document])
                writer.put_occurrences([Occurrence(key, path, blob, "r")])
            size = sum(map(len, files.values()))
            writer.put_repository(RepositoryRecord(key, "/gone", "git", "r", "s", len(files), size, {}, "now"))
    return engine


def world() -> dict[str, dict[str, str]]:
    """Six repositories, each with a file of its own. Three share a piece of code, three a template, three a license."""
    found = {f"r{number}": {f"src/own{number}.js": script(number)} for number in range(6)}
    for number in range(3):
        found[f"r{number}"][f"lib/app{number}.js"] = script(50 + number) + SHARED + script(60 + number)
        found[f"r{number + 1}"]["manage.py"] = MANAGE.format(name=f"site{number}")
        found[f"r{number + 2}"]["LICENSE"] = MIT.format(year=2000 + number, holder=f"Holder {number}")
    return found


def exact(text: str, name: str) -> set[int]:
    """The hashes of the k-grams of a text, in `exact` or, for prose, in `text`."""
    tokens = analyze_snippet(text.encode(), name=name).tokens
    every = [kgrams(tokens, key, SCHEMES[key].k).hashes for key in (Representation.EXACT, Representation.TEXT)]
    return {int(each) for hashes in every for each in hashes}


def kgrams_of(learned: Proposals, name: str) -> set[int]:
    """The hashes of the same k-grams of a proposal."""
    [proposal] = [each for each in learned.proposals if each.name == name]
    every = [proposal.hashes.get(key, ()) for key in (Representation.EXACT, Representation.TEXT)]
    return {int(each) for hashes in every for each in hashes}


@pytest.fixture(scope="module")
def learned() -> Proposals:
    """The proposals that are learned from `world`."""
    return learn(index(world()), LearnOptions())


def test_each_kind_is_proposed_with_its_counts_places_and_code(learned: Proposals) -> None:
    found = {each.kind: each for each in learned.proposals}
    assert set(found) == {ProposalKind.SHARED, ProposalKind.FRAMEWORK, ProposalKind.LICENSE}
    assert (learned.repositories, learned.contents, learned.min_repositories, learned.complete) == (6, 15, 3, True)
    for each in learned.proposals:
        assert (each.repositories, each.contents) == (3, 3)
        assert len({at.repository for at in each.examples}) == 3
        assert 0 < each.share < 1
    shared, framework, license = (found[ProposalKind(kind)] for kind in ("shared", "framework", "license"))
    assert shared.code is not None
    assert "form.patchValue({ name: params.name, mail: params.mail });" in shared.code
    assert shared.name.startswith("shared-app")
    at = shared.examples[0]
    number = int(at.repository.removeprefix("r"))
    assert at.path == f"lib/app{number}.js"
    first = script(50 + number).count("\n")
    # Tokens next to the shared code are the same too: `; }` before it, and `export function` after it.
    assert at.start_line in range(first - 1, first + 2)
    assert at.end_line - first - SHARED.count("\n") in (0, 1)
    assert (framework.name, [at.path for at in framework.examples]) == ("framework-manage.py", ["manage.py"] * 3)
    assert framework.code is not None
    assert framework.code.startswith("#!/usr/bin/env python")
    assert license.name == "license-MIT"
    assert {at.path for at in license.examples} == {"LICENSE"}


NAMES_ANOTHER = """
If that does not suit you, this program is free software; you can redistribute it and/or modify it under the terms of
the GNU General Public License as published by the Free Software Foundation; either version 2 of the License, or (at
your option) any later version.
"""


def test_a_license_has_its_own_name_and_not_one_that_it_mentions() -> None:
    files = {f"r{number}": {"LICENSE": MIT.format(year=2000, holder="A") + NAMES_ANOTHER} for number in range(3)}
    found = learn(index(files), LearnOptions()).proposals
    assert [each.name for each in found] == ["license-MIT"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_the_code_is_that_of_the_lines_whatever_ends_them(encoding: str) -> None:
    odd = {
        key: {path: "// one\r// half \u0a0a\r\n" * 30 + text for path, text in files.items()}
        for key, files in world().items()
    }
    found = learn(index(odd, encoding=encoding), LearnOptions(kinds=[ProposalKind.SHARED])).proposals
    assert ["form.reset();" in (each.code or "") for each in found] == [True]


def test_proposed_sets_hold_what_is_shared_and_nothing_that_is_not(learned: Proposals) -> None:
    shared = next(each.name for each in learned.proposals if each.kind == "shared")
    assert exact(SHARED, "a.js") <= kgrams_of(learned, shared)
    notice = MIT.partition("}\n")[2]
    assert exact(notice, "LICENSE") <= kgrams_of(learned, "license-MIT")
    own = set().union(*(exact(script(number), "a.js") for number in (*range(6), *range(50, 53), *range(60, 63))))
    common = exact(SHARED, "a.js")
    for each in learned.proposals:
        assert len((kgrams_of(learned, each.name) & own) - common) <= 1
    names = exact(MANAGE.format(name="site1"), "manage.py") - exact(MANAGE.format(name="other"), "manage.py")
    assert names
    assert not names & kgrams_of(learned, "framework-manage.py")
    assert exact(MANAGE.format(name="a"), "manage.py") & exact(MANAGE.format(name="b"), "manage.py") <= kgrams_of(
        learned, "framework-manage.py"
    )


def test_sets_that_are_accepted_leave_a_real_copy_first(learned: Proposals) -> None:
    engine = index(world())
    with engine.writer() as writer:
        for each in learned.chosen():
            writer.put_boilerplate(each)
    names = tuple(engine.boilerplate_names())
    plain = SearchOptions(limit=20, name="a.js")
    without = replace(plain, without=names)
    assert search(engine, SHARED.encode(), plain).total == 3
    assert search(engine, SHARED.encode(), without).total == 0
    query = (script(51) + SHARED).encode()
    assert search(engine, query, plain).total == 3
    [hit] = search(engine, query, without).hits
    assert hit.occurrences[0].path == "lib/app1.js"


def test_a_vendored_copy_is_no_evidence() -> None:
    files = {f"r{number}": {"vendored.js": SHARED, "own.js": script(number)} for number in range(6)}
    assert learn(index(files), LearnOptions()).proposals == ()


def test_forks_count_as_one() -> None:
    common = {f"{number}.js": script(number) for number in range(8)}
    forks = {f"fork{number}": {**common, "app.js": SHARED + script(20 + number)} for number in range(4)}
    engine = index(forks)
    assert {each.families for each in contents_of(engine)} == {(0,)}
    assert learn(engine, LearnOptions(min_repositories=2)).proposals == ()
    others = {f"other{number}": {"app.js": SHARED + script(40 + number)} for number in range(2)}
    [proposal] = learn(index({**forks, **others}), LearnOptions()).proposals
    assert (proposal.repositories, proposal.contents) == (3, 6)


def test_a_template_that_nobody_filled_in_counts_for_each_repository() -> None:
    same = {f"r{number}": {"manage.py": MANAGE.format(name="same"), "own.js": script(number)} for number in range(4)}
    [proposal] = learn(index(same), LearnOptions()).proposals
    assert (proposal.kind, proposal.repositories, proposal.contents) == (ProposalKind.FRAMEWORK, 4, 1)


def test_generated_code_is_told_by_its_mark() -> None:
    marked = "// Code generated by maker. DO NOT EDIT.\n"
    files = {f"r{number}": {f"made{number}.js": marked + script(number) + SHARED} for number in range(3)}
    [proposal] = learn(index(files), LearnOptions()).proposals
    assert (proposal.kind, proposal.repositories) == (ProposalKind.GENERATED, 3)
    assert learn(index(files), LearnOptions(kinds=[ProposalKind.SHARED])).proposals == ()
    # Without the content, a mark in a comment cannot be seen, and no code can be shown; but a file name still counts.
    [unseen] = learn(index(files, keep_source=False), LearnOptions()).proposals
    assert (unseen.kind, unseen.code) == (ProposalKind.SHARED, None)
    named = {f"r{number}": {f"a{number}_pb.js": script(number) + SHARED} for number in range(3)}
    [proposal] = learn(index(named, keep_source=False), LearnOptions()).proposals
    assert proposal.kind == ProposalKind.GENERATED


def test_a_table_of_zeros_is_no_boilerplate() -> None:
    files = {f"r{number}": {f"{number}.js": script(number) + ZEROS} for number in range(5)}
    assert learn(index(files), LearnOptions()).proposals == ()


def test_code_of_too_few_repositories_is_not_proposed() -> None:
    assert learn(index(world()), LearnOptions(min_repositories=4)).proposals == ()
    assert len(learn(index(world()), LearnOptions(min_repositories=0.5)).proposals) == 3


def test_kinds_and_limit_choose() -> None:
    engine = index(world())
    for kind in (ProposalKind.SHARED, ProposalKind.LICENSE, ProposalKind.FRAMEWORK):
        assert [each.kind for each in learn(engine, LearnOptions(kinds=[kind])).proposals] == [kind]
    first = learn(engine, LearnOptions(limit=1))
    assert first.proposals[0].name == learn(engine, LearnOptions()).proposals[0].name
    assert not first.complete


def test_learning_gives_the_same_each_time_and_tells_how_far_it_is() -> None:
    seen: list[LearningProgress] = []
    assert dump_proposals(learn(index(world()), LearnOptions())) == dump_proposals(
        learn(index(world()), LearnOptions(progress=seen.append))
    )
    assert all(0 <= each.contents <= each.total == 15 for each in seen)


def test_an_empty_index_proposes_nothing() -> None:
    assert learn(index({}), LearnOptions()).proposals == ()


def test_what_does_not_fit_in_memory_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_code, "MOST_STRETCHES", 0)
    learned = learn(index(world()), LearnOptions(kinds=[ProposalKind.LICENSE]))
    assert (learned.proposals, learned.complete) == ((), False)


@pytest.mark.parametrize(
    ("wanted", "repositories", "least"), [(None, 10, 3), (None, 1000, 20), (5, 10, 5), (0.1, 200, 20), (0.01, 10, 2)]
)
def test_in_how_many_repositories(wanted: float | None, repositories: int, least: int) -> None:
    assert least_repositories(wanted, repositories) == least


@pytest.mark.parametrize("wanted", [0, 1, -3, 2.5, float("nan"), float("inf")])
def test_an_impossible_number_of_repositories(wanted: float) -> None:
    with pytest.raises(UsageError, match=r"^min_repositories must be a whole number of at least 2, or a share between"):
        LearnOptions(min_repositories=wanted)


def test_a_limit_of_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match=r"^limit must be a whole number, at least 1, not 0"):
        learn(index({}), LearnOptions(limit=0))


@given(st.lists(st.sets(st.integers(0, 2**64 - 1), max_size=20), max_size=8))
def test_a_count_of_families_is_never_too_small(families: list[set[int]]) -> None:
    counts = FamilyCounts(1)
    for number, hashes in enumerate(families):
        for part in (sorted(hashes)[:7], sorted(hashes)):
            counts.add(number, np.array(part, np.uint64))
    every = sorted(set().union(*families))
    counted = counts.of(np.array(every, np.uint64)).tolist()
    for each, count in zip(every, counted, strict=True):
        assert sum(each in hashes for hashes in families) <= count <= len(families)


@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=12), max_size=5))
def test_runs_are_maximal_and_stay_in_their_segment(segments: list[list[bool]]) -> None:
    which = np.array([each for segment in segments for each in segment], np.bool_)
    bounds = (0, *np.cumsum([len(segment) for segment in segments]).tolist())
    grams = KGrams(8, np.zeros(len(which), np.uint64), np.arange(len(which)), bounds)
    found = list(shared_code.unbroken(which, grams))
    covered = np.zeros(len(which), np.bool_)
    for begin, end in found:
        assert which[begin:end].all()
        assert begin < end
        assert begin in bounds or not which[begin - 1]
        assert end in bounds or not which[end]
        assert not any(begin < at < end for at in bounds)
        covered[begin:end] = True
    assert covered.tolist() == which.tolist()


def test_a_file_of_proposals_is_read_as_it_was_written(learned: Proposals) -> None:
    again = load_proposals(dump_proposals(learned))
    assert dump_proposals(again) == dump_proposals(learned)
    [chosen] = again.chosen(["license-MIT"])
    assert (chosen.name, dict(chosen.schemes)) == ("license-MIT", token_scheme_ids())
    assert "r2:LICENSE:" in chosen.files[0]


def edited(learned: Proposals, **changes: Any) -> bytes:
    """The file of proposals, with its first proposal changed. A name that begins with `_` is a key of the file."""
    value = json.loads(dump_proposals(learned))
    value["proposals"].sort(key=lambda each: each["name"] == "license-MIT")
    for key, change in changes.items():
        (value if key.startswith("_") else value["proposals"][0])[key.strip("_")] = change
    return json.dumps(value).encode()


def test_a_file_that_is_edited_is_taken_as_it_is(learned: Proposals) -> None:
    assert load_proposals(edited(learned, name="mine")).proposals[0].name == "mine"
    unsorted = load_proposals(edited(learned, hashes={"exact": "AgAAAAAAAAABAAAAAAAAAAIAAAAAAAAA"})).proposals[0]
    assert unsorted.hashes[Representation.EXACT].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"_format": 3, "_reader": 2}, r"newer version of wherefrom \(format 3; this version reads up to 1\); upgrade"),
        ({"_format": "2"}, "not a file of proposals"),
        ({"_schemes": {"exact": "other"}}, "another scheme"),
        ({"_schemes": 7}, "not a file of proposals"),
        ({"_proposals": 7}, "is damaged"),
        ({"_proposals": [7]}, "is damaged"),
        ({"_contents": "many"}, "is damaged"),
        ({"name": ""}, "a name that does not print"),
        ({"name": "a\x1b[2J"}, "a name that does not print"),
        ({"name": "license-MIT"}, "have one name"),
        ({"kind": "taste"}, "is damaged"),
        ({"hashes": {}}, "has no k-grams"),
        ({"hashes": {"exact": "AAAA"}}, "is damaged"),
        ({"hashes": {"exact": "é"}}, "is damaged"),
        ({"examples": [{}]}, "is damaged"),
    ],
)
def test_a_file_that_is_none_is_refused(learned: Proposals, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(BoilerplateError, match=message) as error:
        load_proposals(edited(learned, **changes))
    assert str(error.value).isprintable()


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\x00", b"[]", b"{}", b"7", b"[" * 100_000])
def test_bytes_that_are_no_proposals_are_refused(data: bytes) -> None:
    with pytest.raises(BoilerplateError, match="not a file of proposals"):
        load_proposals(data)


def test_a_name_that_is_not_proposed_is_refused(learned: Proposals) -> None:
    with pytest.raises(BoilerplateError, match=r"no proposal 'other' in the file; there are: .*license-MIT"):
        learned.chosen(["license-MIT", "other"])
    with pytest.raises(BoilerplateError, match="proposes nothing"):
        learn(index({}), LearnOptions()).chosen()
