"""The result of a worker: it is handed over whole, and is the same with the kernel and without."""

from __future__ import annotations

import pickle
import zlib
from contextlib import closing
from pathlib import Path

import pytest

import wherefrom
from tests.repositories import Repository
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.schemes import scheme_ids
from wherefrom.analyzers.tokens import decode
from wherefrom.engines import open_engine
from wherefrom.indexer.work import Task, work
from wherefrom.languages import LANGUAGES
from wherefrom.model import BlobDocument
from wherefrom.options import Limits
from wherefrom.sources.git import read_object
from wherefrom.support import extension

SAMPLES = Path(__file__).parents[1] / "analyzers" / "samples"


def test_a_document_is_the_same_in_another_process() -> None:
    content = (SAMPLES / "python.sample").read_bytes()
    made = work(Task("0" * 40, "a.py", content, Limits()))
    assert isinstance(made, BlobDocument)
    handed_over = pickle.loads(pickle.dumps(made, pickle.HIGHEST_PROTOCOL))
    assert handed_over.stored == made.stored
    assert list(handed_over.terms) == list(made.terms)
    for key, terms in made.terms.items():
        assert handed_over.terms[key].dtype == terms.dtype
        assert handed_over.terms[key].tolist() == terms.tolist()


@pytest.mark.slow
def test_an_index_is_the_same_with_the_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(extension.VARIABLE, "1")
    if problem := extension.problem():
        pytest.skip(f"no kernel: {problem}")
    files = {f"src/{path.stem}/{path.stem}.txt": path.read_bytes() for path in SAMPLES.glob("*.sample")}
    for language in LANGUAGES.values():
        if (SAMPLES / f"{language.name}.sample").exists() and language.extensions:
            content = (SAMPLES / f"{language.name}.sample").read_bytes()
            files[f"a{language.extensions[0]}"] = content
            files[f"crlf/b{language.extensions[0]}"] = content.replace(b"\n", b"\r\n")
    clone = Repository.make(tmp_path / "clone", files).folder
    for name, wish in (("python", "0"), ("kernel", "require")):
        monkeypatch.setenv(extension.VARIABLE, wish)
        report = wherefrom.index_sources([clone], tmp_path / name, jobs=1)
        assert report.parsed > 50
        assert report.warnings == ()
    opened = [closing(open_engine(str(tmp_path / name), schemes=scheme_ids())) for name in ("python", "kernel")]
    with opened[0] as one, opened[1] as other:
        assert list(one.occurrences()) == list(other.occurrences())
        stored = list(one.stored_blobs())
        assert len(stored) > 50
        assert stored == list(other.stored_blobs())
        for blob in stored:
            terms = {key: found.tolist() for key, found in document_terms(decode(blob.tokens)).items()}
            assert terms
            assert one.document_frequencies(terms) == other.document_frequencies(terms)


def test_a_run_says_once_that_the_kernel_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clone = Repository.make(tmp_path / "clone", {"a.py": b"def f(a):\n    return a + 1\n"}).folder
    monkeypatch.setenv(extension.VARIABLE, "1")
    monkeypatch.setattr(extension, "_found", lambda: (None, "it was not built; build it"))
    report = wherefrom.index_sources([clone], tmp_path / "index", jobs=1)
    assert report.warnings == (
        "indexing takes about twice as long without the native kernel: it was not built; build it",
    )
    with wherefrom.open_index(tmp_path / "index") as index:
        assert index.stats().analyzer.startswith("Python, tree-sitter ")
    monkeypatch.setenv(extension.VARIABLE, "0")
    assert wherefrom.index_sources([clone], tmp_path / "index", jobs=1).warnings == ()


def test_a_content_under_the_name_of_another_is_not_indexed(tmp_path: Path) -> None:
    clone = Repository.make(tmp_path / "clone", {"a.py": b"def f(a):\n    return a + 1\n", "b.py": b"B = 1\n"})
    blob = clone.git("rev-parse", "HEAD:a.py")
    file = clone.folder / ".git/objects" / blob[:2] / blob[2:]
    file.chmod(0o600)
    other = b"def other():\n    pass\n"
    file.write_bytes(zlib.compress(b"blob %d\0" % len(other) + other))
    assert read_object(clone.folder, blob) is None
    report = wherefrom.index_sources([clone.folder], tmp_path / "index", jobs=1)
    assert report.parsed == 1
    with closing(open_engine(str(tmp_path / "index"), schemes=scheme_ids())) as engine:
        assert blob not in {stored.blob for stored in engine.stored_blobs()}
