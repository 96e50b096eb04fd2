"""Boilerplate sets: every k-gram of some texts, refused under another scheme."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.queries.indexes import add_files
from wherefrom import index_sources, open_index
from wherefrom.analyzers.analysis import analyze_snippet
from wherefrom.analyzers.representations import kgrams
from wherefrom.analyzers.schemes import SCHEMES, scheme_ids, token_scheme_ids
from wherefrom.analyzers.tokens import part
from wherefrom.engines.memory import MemoryEngine
from wherefrom.errors import BoilerplateError, UsageError
from wherefrom.model import Representation
from wherefrom.options import SearchOptions
from wherefrom.queries import boilerplate, plugin
from wherefrom.queries.boilerplate import BoilerplateProgress, SetBuilder, left_out, make_set
from wherefrom.queries.preparation.preparing import boilerplate_mask
from wherefrom.queries.searching import search
from wherefrom.sources.discover import discover
from wherefrom.support import throttle

HEADER = b"""\
def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path")
    return run(parser.parse_args(argv))
"""
LICENSE = b"Permission is hereby granted, free of charge, to any person obtaining a copy of this software\n"


def test_a_set_without_a_representation_has_no_terms_of_it() -> None:
    made = make_set("main", [("main.py", HEADER)])
    assert plugin.boilerplate_terms(made, Representation.EXACT).terms
    for hashes, there in ((made.hashes, "exact"), ({}, "none")):
        with pytest.raises(BoilerplateError, match=f"no k-grams of text; name a representation that it has: {there}"):
            plugin.boilerplate_terms(replace(made, hashes=hashes), Representation.TEXT)


@pytest.mark.parametrize("name", ["", "two\nlines"])
def test_the_name_of_a_set_is_printable_and_a_representation_known(name: str, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_bytes(HEADER)
    index_sources([str(tmp_path)], tmp_path / "index", jobs=1)
    with open_index(tmp_path / "index") as index:
        with pytest.raises(BoilerplateError, match="needs a printable name"):
            index.add_boilerplate(name, [("main.py", HEADER)])
        index.add_boilerplate("main", [("main.py", HEADER)])
        assert index.export_boilerplate("main").terms
        with pytest.raises(UsageError, match=r"a representation is one of exact, .*, not 'other'"):
            index.export_boilerplate("main", "other")
        with pytest.raises(BoilerplateError, match="no boilerplate set 'gone' in this index"):
            index.remove_boilerplate("gone")
        index.remove_boilerplate("main")
        assert index.boilerplate_names() == []


def test_a_set_holds_every_kgram_of_its_texts() -> None:
    made = make_set("main", [("main.py", HEADER), ("LICENSE.txt", LICENSE)])
    code = analyze_snippet(HEADER, name="main.py").tokens
    prose = analyze_snippet(LICENSE, name="LICENSE.txt").tokens
    for representation, tokens in [
        (Representation.EXACT, code),
        (Representation.RENAMED, code),
        (Representation.TEXT, prose),
    ]:
        hashes = kgrams(tokens, representation, SCHEMES[representation].k).hashes
        assert made.hashes[representation].tolist() == sorted(set(hashes.tolist()))
        assert len(hashes)
    assert (made.name, made.files, dict(made.schemes)) == ("main", ("main.py", "LICENSE.txt"), token_scheme_ids())


def test_a_text_too_short_for_a_kgram_adds_nothing_to_the_others() -> None:
    alone, both = make_set("a", [("a.py", HEADER)]), make_set("a", [("a.py", HEADER), ("b.py", b"x = 1\n")])
    assert {r: h.tolist() for r, h in alone.hashes.items()} == {r: h.tolist() for r, h in both.hashes.items()}
    assert both.files == ("a.py", "b.py")


@pytest.mark.parametrize("texts", [[], [("a.py", b"")], [("a.py", b"x = 1\n"), ("b.py", b"# nothing but a comment\n")]])
def test_texts_without_a_kgram_are_refused(texts: list[tuple[str, bytes]]) -> None:
    with pytest.raises(BoilerplateError, match="'short' has no text of 8 tokens"):
        make_set("short", texts)


def test_stored_sets_come_in_the_order_asked_for() -> None:
    engine = MemoryEngine(scheme_ids())
    one, other = make_set("one", [("a.py", HEADER)]), make_set("other", [("b.txt", LICENSE)])
    with engine.writer() as writer:
        writer.put_boilerplate(one)
        writer.put_boilerplate(other)
    assert left_out(engine, SearchOptions(without=["other", "one"])) == [other, one]
    assert left_out(engine, SearchOptions(without=[])) == []


def test_a_set_that_is_not_there_is_refused_with_those_that_are() -> None:
    engine = MemoryEngine(scheme_ids())
    with pytest.raises(BoilerplateError, match=r"'gone'.*there are: frameworks"):
        left_out(engine, SearchOptions(without=["gone"]))
    with engine.writer() as writer:
        writer.put_boilerplate(make_set("main", [("a.py", HEADER)]))
    with pytest.raises(BoilerplateError, match=r"'gone'.*there are: frameworks, main"):
        left_out(engine, SearchOptions(without=["main", "gone"]))
    with pytest.raises(BoilerplateError, match=r"'mian'.*there are: main$"):
        left_out(engine, SearchOptions(without=["mian"]))


def test_a_pattern_stands_for_every_set_that_it_matches_each_once() -> None:
    engine = MemoryEngine(scheme_ids())
    with engine.writer() as writer:
        for name in ("license-MIT", "license-ISC", "framework-make.bat", "a[b]"):
            writer.put_boilerplate(make_set(name, [("a.py", HEADER)]))

    def names(*patterns: str, allow_missing_sets: bool = False) -> list[str]:
        options = SearchOptions(without=patterns, allow_missing_sets=allow_missing_sets)
        return [each.name for each in left_out(engine, options)]

    assert names("license-*") == ["license-ISC", "license-MIT"]
    assert names("license-MIT", "license-*", "{framework,license}-[mI]*") == [
        *("license-MIT", "license-ISC", "framework-make.bat")
    ]
    assert names("*") == ["a[b]", "framework-make.bat", "frameworks", "license-ISC", "license-MIT"]
    assert names("a[b]") == ["a[b]"], "the name of a set is not a pattern"
    assert names("none") == []
    with pytest.raises(BoilerplateError, match=r"'licence-\*'.*there are: license-"):
        names("licence-*")
    assert names("licence-*", "gone", "license-M*", allow_missing_sets=True) == ["license-MIT"]


@pytest.mark.parametrize("representation", SCHEMES)
def test_a_set_of_another_scheme_is_refused(representation: Representation) -> None:
    engine = MemoryEngine(scheme_ids())
    made = make_set("main", [("a.py", HEADER)])
    with engine.writer() as writer:
        writer.put_boilerplate(replace(made, schemes={**made.schemes, representation: "exact-9-9-0000000000"}))
    with pytest.raises(BoilerplateError, match="another scheme; add it again"):
        left_out(engine, SearchOptions(without=["main"]))
    with engine.writer() as writer:
        writer.put_boilerplate(made)
    assert left_out(engine, SearchOptions(without=["main"]))


def test_a_set_has_a_bound_that_is_kept_while_it_is_gathered(monkeypatch: pytest.MonkeyPatch) -> None:
    everything = sum(map(len, make_set("a", [("a.py", HEADER)]).hashes.values()))
    for pending in (1, 1 << 20):
        monkeypatch.setattr(boilerplate, "_PENDING", pending)
        builder = SetBuilder("a", most=everything)
        for _ in range(3):  # a text that is already in the set takes no room
            builder.add_text("a.py", HEADER)
        assert sum(map(len, builder.made().hashes.values())) == everything
    monkeypatch.setattr(boilerplate, "_PENDING", 1)
    with pytest.raises(BoilerplateError, match="more than 9 k-grams; make several sets"):
        SetBuilder("a", most=9).add_text("a.py", HEADER)
    monkeypatch.setattr(boilerplate, "_PENDING", 1 << 20)
    builder = SetBuilder("a", most=9)
    builder.add_text("a.py", HEADER)
    with pytest.raises(BoilerplateError, match="more than 9 k-grams"):
        builder.made()


def test_progress_is_told_while_a_source_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_bytes(HEADER)
    (tmp_path / "b.py").write_bytes(HEADER)
    monkeypatch.setattr(throttle, "SECONDS", 0)
    seen: list[BoilerplateProgress] = []
    builder = SetBuilder("a", seen.append)
    [source] = discover([str(tmp_path)], cache=tmp_path)
    builder.add_source(source)
    assert [(each.source, each.files) for each in seen] == [(source.key, 1), (source.key, 2)]
    assert seen[1].kgrams == 2 * seen[0].kgrams > 0


def test_files_that_cannot_be_read_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(HEADER)
    (tmp_path / "link.py").symlink_to("a.py")
    os.mkfifo(tmp_path / "fifo.py")
    (tmp_path / "image.png").write_bytes(bytes(100))
    builder = SetBuilder("a")
    [source] = discover([str(tmp_path)], cache=tmp_path)
    builder.add_source(source)
    assert builder.made().files == (f"{source.key} (1 file, 1 unreadable)",)


TEMPLATE = b"""#include "settings.h"
int set_up(struct builder *builder, struct router *router) {
  struct form *form = group(builder, "name", "mail", 2);
  if (router->id != 0 && router->path != 0) { patch(form, router->id, router->path); } else { reset(form); }
  return form->state;
}
"""


@pytest.mark.parametrize(("shared", "found"), [(b"", []), (b"handle[3] - lid, 4 << steam);", ["b0"])])
def test_a_few_tokens_beside_boilerplate_are_no_hit(shared: bytes, found: list[str]) -> None:
    own = b"int kettle = pour("
    other = b"17) ? boil : wait;\nvoid other(long time) { while (time --> 0) tick(); }\n"
    engine = MemoryEngine(scheme_ids())
    unrelated = [b"int f%d(int a) { return a + %d; }\n" % (at, at) for at in range(20)]
    add_files(engine, [TEMPLATE + own + shared + other, *unrelated])
    options = SearchOptions(name="a.c", language="c", without_texts=(("t.c", TEMPLATE),))
    result = search(engine, TEMPLATE + own + b"handle[3] - lid, 4 << steam);\n", options)
    assert [hit.blob for hit in result.hits] == found


def test_of_what_has_other_names_only_long_stretches_are_boilerplate() -> None:
    code = analyze_snippet(TEMPLATE, language="c").tokens
    renamed = TEMPLATE.translate(bytes.maketrans(b"bgmp", b"qzjk"))
    k, stretch = SCHEMES[Representation.P_MATCH].k, SCHEMES[Representation.P_MATCH].guarantee
    hashes = kgrams(code, Representation.P_MATCH, k).hashes
    made = replace(make_set("t", [("t.c", TEMPLATE)]), hashes={Representation.P_MATCH: np.sort(hashes)})
    tokens = analyze_snippet(renamed, language="c").tokens
    for length in (k, stretch - 1, stretch, stretch + 5):
        begin = len(tokens) // 3
        masked = boilerplate_mask(part(tokens, begin, begin + length), [made])
        assert masked.all() == masked.any() == (length >= stretch)
