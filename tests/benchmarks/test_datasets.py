from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.effectiveness.datasets import SAME_IN_OCD, connected, java_methods, ocd_files, ocd_methods, soco
from benchmarks.effectiveness.ranking import failures, figures, ranked_by_product

ADD = "int {name}(int a, int b) {{ int sum = a + b; log.write(sum); return sum * {n}; }}"
CLASS = "class {name} {{ {methods} int field = 1; }}\n"


@pytest.fixture
def ocd(tmp_path: Path) -> Path:
    """Two programs in two versions and one that ProGuard made, in the layout of OCD; its known duplicate methods
    are in three more programs.
    """
    tests = tmp_path / "resources/tests"
    rows: dict[str, list[str]] = {"FILE": [], "METHOD": []}
    for program, cluster in (("one", 0), ("two", 1)):
        for version in ("0_orig", "1_artifice", "test_0_orig_pg_procyon"):
            path = tests / program / version / "Main.java"
            path.parent.mkdir(parents=True)
            methods = f"@Override static public {ADD.format(name='add', n=cluster)} void stub() {{ }}"
            path.write_text(CLASS.format(name=program, methods=methods))
            name = path.relative_to(tests).as_posix()
            rows["FILE"].append(f"{name},{cluster},method")
            if "_pg_" not in version:
                rows["METHOD"].append(f'{name},{cluster},"public static int add(int a, int b)"')
    for number, (file, header) in enumerate({(each, pair[2]) for pair in SAME_IN_OCD for each in pair[:2]}):
        path = tests / file
        path.parent.mkdir(parents=True, exist_ok=True)
        old = path.read_text() if path.exists() else ""
        path.write_text(old + CLASS.format(name=f"C{number}", methods=header + " { return in.read(); }"))
        rows["METHOD"].append(f'{file},{10 + number},"{header}"')
    for level, lines in rows.items():
        text = "\n".join(["file,cluster,method", *lines]) + "\n"
        (tmp_path / f"resources/cloplag_clone_clusters_{level}-LEVEL.csv").write_text(text)
    return tmp_path


def test_files_of_one_program_are_relevant_to_each_other(ocd: Path) -> None:
    data = ocd_files(ocd)
    assert len(data.documents) == 6
    assert data.relevant["one/0_orig/Main.java"] == {"one/1_artifice/Main.java", "one/test_0_orig_pg_procyon/Main.java"}


def test_methods_are_cut_out_by_their_signature(ocd: Path) -> None:
    data = ocd_methods(ocd, proguard=False)
    assert data.relevant["one/0_orig/Main/0.java"] == {"one/1_artifice/Main/0.java"}
    assert data.documents["one/0_orig/Main/0.java"].startswith(b"@Override static public int add(int a, int b) {")
    assert data.documents["one/0_orig/Main/1.java"] == b"void stub() { }"
    assert not [name for name in data.documents if "_pg_" in name]
    assert [name for name in ocd_methods(ocd, proguard=True).documents if "_pg_" in name]
    joined = data.judgements["cluster file, same methods joined"]
    assert joined["InfixConverter/0_orig/InfixConverter/0.java"]
    assert "InfixConverter/0_orig/InfixConverter/0.java" not in data.relevant


def test_a_signature_that_is_not_there_is_named(ocd: Path) -> None:
    with (ocd / "resources/cloplag_clone_clusters_METHOD-LEVEL.csv").open("a") as file:
        file.write("one/0_orig/Main.java,7,void missing()\n")
    with pytest.raises(KeyError, match="void missing"):
        ocd_methods(ocd, proguard=False)


def test_headers_are_told_without_modifiers() -> None:
    source = (
        b"class A { @Deprecated public final <T> java.util.List<T> of(final T x) throws E { return null; } int y(); }"
    )
    ((header, text),) = java_methods(source)
    assert " ".join(header) == "< T > java . util . List < T > of ( final T x )"
    assert text.startswith(b"@Deprecated public")


def test_soco_pairs_and_what_they_connect(tmp_path: Path) -> None:
    (tmp_path / "c").mkdir()
    for name in "abcd":
        (tmp_path / "c" / f"{name}.c").write_text(f"int {name};")
    (tmp_path / "SOCO14-c.qrel").write_text("a.c b.c\nb.c c.c\n\n")
    data = soco(tmp_path, "c")
    assert sorted(data.documents) == ["a.c", "b.c", "c.c", "d.c"]
    assert data.relevant == {"a.c": {"b.c"}, "b.c": {"a.c", "c.c"}, "c.c": {"b.c"}}
    assert data.judgements["connected pairs"]["a.c"] == {"b.c", "c.c"}
    (tmp_path / "clusters.csv").write_text("file,cluster,method\nx/a.c,0,method\nx/d.c,0,method\n")
    assert soco(tmp_path, "c", tmp_path / "clusters.csv").relevant == {"a.c": {"d.c"}, "d.c": {"a.c"}}


def test_groups_that_pairs_connect() -> None:
    pairs = [("a", "b"), ("c", "d"), ("d", "b"), ("e", "e")]
    assert sorted(map(sorted, connected(pairs))) == [["a", "b", "c", "d"], ["e"]]
    assert connected([]) == []


@pytest.mark.slow
def test_documents_are_ranked_through_the_product(tmp_path: Path) -> None:
    (tmp_path / "java").mkdir()
    body = "int run(int first, int second) { int sum = first + second; for (int i = 0; i < sum; i++) list.add(i); } "
    # Long enough not to be compared with all files of a small index.
    texts = {"a": body * 20, "b": (body * 20).replace("sum", "all"), "c": "class C { String name = f(1, 2, x.y); }"}
    for name, text in texts.items():
        (tmp_path / "java" / f"{name}.java").write_text(text)
    (tmp_path / "SOCO14-java.qrel").write_text("a.java b.java\n")
    data = soco(tmp_path, "java")
    ranked = ranked_by_product(data)
    assert [name for name, _ in ranked["all"]["a.java"]] == ["a.java", "b.java", "c.java"]
    assert dict(ranked["all"]["a.java"])["b.java"] > 0.9
    assert [name for name, _ in ranked["those that share a term"]["a.java"]] == ["a.java", "b.java"]
    seen = figures(ranked["all"], data.relevant)
    assert (seen.map_without, seen.map_with, seen.mrr, seen.recall, seen.arp) == (1, 1, 1, 1, 1)
    assert failures(ranked["all"], data.relevant) == []
    (wrong, _) = failures({"a.java": [("a.java", 1.0), ("c.java", 0.9)], "b.java": []}, data.relevant)
    assert "first other c.java 0.90" in wrong
    assert "1 share no term" in wrong
