"""Checks and comparisons of uploads in the background, on a running server."""

from __future__ import annotations

import asyncio
import errno
import io
import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import httpx
import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import ClientDisconnect

from tests.polygons import AREA
from tests.processes import HANGS
from tests.serve.running import WEB, server, serving
from tests.serve.uploading import HEAVY_FILES, Upload, ended, send, when
from tests.service.indexed import RENAMED, UNKNOWN
from wherefrom.errors import NotFound, UsageError
from wherefrom.projects.check.baseline import load_baseline
from wherefrom.results import Review, ReviewState
from wherefrom.serve.desk import Gone
from wherefrom.serve.jobs.store import MOST_OWN, JobKind, JobQueue, JobState, JobStore, QueueFull, UploadJob
from wherefrom.serve.people import Person, Right, TokenFile
from wherefrom.serve.web.jobs import Uploads, plain_name
from wherefrom.support.writing import write_whole

pytestmark = pytest.mark.thorough

HAND_INS = {"anna/a.py": AREA, "ben/b.py": RENAMED, "cleo/c.py": UNKNOWN * 3}

DIFF = "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,{} @@\n{}"


def packed(files: Mapping[str, str], around: str = "") -> bytes:
    """A zip of files, with a folder around them if one is named."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for path, text in files.items():
            archive.writestr(f"{around}{path}", text)
    return made.getvalue()


def compared(*uploads: tuple[str, bytes], earlier: Sequence[tuple[str, bytes]] = ()) -> list[Upload]:
    """The files of a form for a comparison."""
    return [*(("submissions", upload) for upload in uploads), *(("earlier", upload) for upload in earlier)]


HEAVY = compared(("heavy.zip", packed(dict(HEAVY_FILES))))
"""A comparison that takes long enough to be stopped while it runs."""


def runs(address: str, job: str) -> dict[str, Any]:
    found = when(address, job, lambda found: found["state"] in {"done", "failed"} or bool(found["progress"]))
    assert found["state"] == "running", "the job ended before anyone saw it run"
    return found


def report(address: str, job: dict[str, Any], name: str) -> str:
    answer = WEB.get(address + job["reports"][name]).raise_for_status()
    assert answer.headers["content-disposition"].startswith("attachment; ")
    return answer.text


@pytest.fixture(scope="module")
def reporting(code_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of a server, and the folder of its reports."""
    folder = tmp_path_factory.mktemp("reports")
    with serving(code_index, "--reports", str(folder)) as address:
        yield address, folder


def test_hand_ins_are_compared_and_leave_a_report(reporting: tuple[str, Path]) -> None:
    address, folder = reporting
    before = WEB.get(f"{address}/api/v1/repositories").json()
    files = compared(("hand-ins.zip", packed(HAND_INS, "term/")), earlier=[("last.zip", packed({"dora/d.py": AREA}))])
    job = ended(address, send(address, "compare", files)["id"])
    assert (job["state"], job["title"], job["kind"]) == ("done", "hand-ins.zip", "compare")
    assert job["message"].startswith("3 pairs found among 4 submissions")
    assert job["deleted"] > job["made"]
    found = json.loads(report(address, job, "json"))
    names = {(one["role"], one["name"]) for one in found["submissions"]}
    hand_ins = {("submission", f"hand-ins.zip/{name}") for name in ("anna", "ben", "cleo")}
    assert names == hand_ins | {("archive", "last.zip/dora")}
    assert {"hand-ins.zip/anna", "hand-ins.zip/ben"} <= set(report(address, job, "csv").replace("\n", ",").split(","))
    assert {*job["reports"]} == {"text", "json", "csv", "html"}
    for name in job["reports"]:
        assert str(folder) not in report(address, job, name)
    [path] = folder.rglob(job["id"])
    assert not (path / "uploads").exists(), "the uploads are deleted at the end"
    assert path.stat().st_mode & 0o777 == 0o700
    assert WEB.get(f"{address}/api/v1/repositories").json() == before


@pytest.mark.parametrize(
    ("uploads", "fields", "names"),
    [
        (
            compared(("all.zip", packed(HAND_INS))),
            {"by": "file", "min_tokens": "20", "max_share": "0.9"},
            {"anna/a.py", "ben/b.py", "cleo/c.py"},
        ),
        (compared(("a.py", AREA.encode()), ("a.py", RENAMED.encode())), {}, {"a.py", "2-a.py"}),
        (
            compared(("all.zip", packed(HAND_INS))),
            {"options": '{"by": "file", "min_tokens": 20}'},
            {"anna/a.py", "ben/b.py", "cleo/c.py"},
        ),
    ],
    ids=["a chosen unit", "files of one name", "options"],
)
def test_a_submission_is_what_fits_the_uploads(
    reporting: tuple[str, Path], uploads: list[Upload], fields: dict[str, str], names: set[str]
) -> None:
    address, _ = reporting
    job = ended(address, send(address, "compare", uploads, **fields)["id"])
    found = json.loads(report(address, job, "json"))
    assert {one["name"] for one in found["submissions"]} == names


@pytest.mark.parametrize("kind", ["a diff as text", "a diff as a file", "a zip", "a tar"])
def test_a_project_or_a_change_is_checked(reporting: tuple[str, Path], kind: str, tmp_path: Path) -> None:
    address, folder = reporting
    added = RENAMED.splitlines()
    diff = DIFF.format(len(added), "".join(f"+{line}\n" for line in added))
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w:gz") as archive:
        member = tarfile.TarInfo("project/new.py")
        member.size = len(RENAMED)
        archive.addfile(member, io.BytesIO(RENAMED.encode()))
    upload = {
        "a diff as text": [],
        "a diff as a file": [("change", ("change.patch", diff.encode()))],
        "a zip": [("change", ("project.zip", packed({"new.py": RENAMED}, "project/")))],
        "a tar": [("change", ("project.tar.gz", tar.getvalue()))],
    }[kind]
    fields = {"diff": diff} if kind == "a diff as text" else {}
    job = ended(address, send(address, "check", upload, **fields)["id"])
    assert job["state"] == "done", job
    assert job["message"].startswith("1 finding to look at")
    assert {*job["reports"]} == {"text", "json", "agent", "html", "sarif", "gitlab", "cyclonedx", "spdx", "baseline"}
    found = json.loads(report(address, job, "json"))
    [finding] = found["findings"]
    assert finding["path"].endswith("new.py")
    assert finding["rule"] == "copied-unattributed"
    for name in job["reports"]:
        text = report(address, job, name)
        assert "new.py" in text
        assert str(folder) not in text
    (tmp_path / "known.json").write_text(report(address, job, "baseline"))
    assert [entry.path for entry in load_baseline(tmp_path / "known.json")] == [finding["path"]]


def test_reviews_are_kept_for_the_next_comparison(reporting: tuple[str, Path], tmp_path: Path) -> None:
    address, _ = reporting
    (tmp_path / "all.zip").write_bytes(packed(HAND_INS))
    job = ended(address, send(address, "compare", compared(("all.zip", packed(HAND_INS))))["id"])
    [pair] = json.loads(report(address, job, "json"))["pairs"]
    place = f"{address}/api/v1/jobs/{job['id']}/reviews"
    assert WEB.put(f"{place}/{pair['id']}", json={"state": "dismissed", "note": "a pair of twins"}).status_code == 204
    assert WEB.put(f"{place}/{pair['id']}", json={"state": "guilty"}).status_code == 422
    assert WEB.put(f"{place}/../{pair['id']}", json={"state": "pending"}).status_code in {404, 405}
    assert WEB.put(f"{place}/abc", json={"state": "pending"}).status_code == 422
    kept = WEB.get(place).json()["reviews"]
    assert kept == [{"pair": pair["id"], "state": "dismissed", "note": "a pair of twins"}]
    (tmp_path / "reviews.json").write_text(WEB.get(place).text)
    command = [sys.executable, "-m", "wherefrom", "compare", str(tmp_path / "all.zip"), "--by", "folder"]
    done = subprocess.run(
        [*command, "--reviewed", str(tmp_path / "reviews.json")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, "the only pair is dismissed"
    assert "1 dismissed" in done.stdout
    check = ended(address, send(address, "check", [], diff=DIFF.format(1, "+value = 1\n"))["id"])
    assert WEB.get(f"{address}/api/v1/jobs/{check['id']}/reviews").status_code == 404


@pytest.mark.parametrize(
    ("kind", "files", "fields", "reason"),
    [
        ("rule", [], {}, "one of check, compare"),
        ("check", [], {}, "nothing to check"),
        ("check", [], {"diff": "  \n"}, "nothing to check"),
        ("check", [("change", ("a.zip", b"")), ("change", ("b.zip", b""))], {}, "one file"),
        ("compare", [], {}, "nothing to compare"),
        ("compare", [("template", ("a.py", b"a"))], {}, "nothing to compare"),
        ("compare", compared(("a.py", b"a")), {"by": "year"}, "the option by"),
        ("compare", compared(("a.py", b"a")), {"options": "{"}, "JSON"),
        ("compare", compared(("a.py", b"a")), {"options": "[" * 100_000}, "JSON"),
        ("compare", compared(("a.py", b"a")), {"options": '{"cache": "/tmp"}'}, "the option cache"),
        ("compare", compared(("a.py", b"a")), {"author_of": "("}, "regular expression"),
    ],
    ids=range(11),
)
def test_a_wrong_form_is_refused_and_leaves_nothing(
    reporting: tuple[str, Path], kind: str, files: list[Upload], fields: dict[str, str], reason: str
) -> None:
    address, folder = reporting
    before = {*folder.rglob("*")}
    # Without a file, httpx sends a form of another kind, which is read as well.
    answer = WEB.post(f"{address}/api/v1/jobs", data={"kind": kind, **fields}, files=files or None)
    assert answer.status_code == 422
    assert reason in answer.json()["detail"]
    assert {*folder.rglob("*")} == before


@pytest.mark.parametrize(
    ("kind", "files", "reason"),
    [
        ("check", [("change", ("a.patch", b"not a diff"))], "not a unified diff"),
        ("check", [("change", ("a.zip", b"not a zip"))], "cannot read the archive change/a.zip"),
        ("compare", compared(("a.zip", b"not a zip")), "cannot read the archive submissions/a.zip"),
    ],
)
def test_an_upload_that_cannot_be_read_says_why(
    reporting: tuple[str, Path], kind: str, files: list[Upload], reason: str
) -> None:
    address, folder = reporting
    job = ended(address, send(address, kind, files)["id"])
    assert (job["state"], job["reports"]) == ("failed", {})
    assert reason in job["message"]
    assert str(folder) not in job["message"]


@given(st.text(max_size=300))
def test_a_name_of_an_upload_is_a_plain_one(name: str) -> None:
    plain = plain_name(name)
    assert plain not in {"", ".", ".."}
    assert not set("/\\\0\n\r\x1b") & set(plain)
    assert 1 <= len(plain.encode()) <= 150
    assert plain[0] not in ".-"


def test_the_end_of_a_long_name_stays() -> None:
    assert plain_name(f"C:\\hand-ins\\{'ä' * 200}.tar.gz").endswith("ä.tar.gz")
    assert plain_name("../../etc/passwd") == "passwd"


def test_a_job_is_seen_only_by_the_token_that_made_it(code_index: Path, tmp_path: Path) -> None:
    people = TokenFile(tmp_path / "tokens.json")
    rights = {"ann": [*Right], "bob": [*Right], "eve": [Right.SEARCH, Right.READ], "cid": [Right.CHECK]}
    made = {name: people.add(name, rights[name], None) for name in rights}
    log = tmp_path / "audit.jsonl"
    flags = ("--tokens", str(tmp_path / "tokens.json"), "--reports", str(tmp_path / "reports"), "--audit", str(log))
    with serving(code_index, *flags) as address:

        def ask(name: str, method: str, path: str, **others: Any) -> httpx.Response:
            headers = {"Authorization": f"Bearer {made[name]}"}
            return WEB.request(method, address + path, headers=headers, **others)

        def done(name: str, **form: Any) -> dict[str, Any]:
            job = ask(name, "POST", "/api/v1/jobs", **form).json()
            until = time.monotonic() + HANGS
            while not job["deleted"] and time.monotonic() < until:
                time.sleep(0.05)
                job = ask(name, "GET", f"/api/v1/jobs/{job['id']}").json()
            return dict(job)

        job = done("ann", data={"kind": "compare"}, files=compared(("secret-name.zip", packed(HAND_INS))))
        at = f"/api/v1/jobs/{job['id']}"
        paths = [at, f"{at}/report/json", f"{at}/reviews", f"/jobs/{job['id']}", f"/jobs/{job['id']}/report"]
        assert [ask("ann", "GET", path).status_code for path in paths] == [200] * 5
        assert [ask("bob", "GET", path).status_code for path in paths] == [404] * 5
        assert [ask("eve", "GET", path).status_code for path in paths] == [403] * 5
        assert ask("bob", "DELETE", at).status_code == 404
        assert ask("bob", "POST", f"/jobs/{job['id']}/delete").status_code == 404
        assert ask("bob", "PUT", f"{at}/reviews/{'0' * 12}", json={"state": "relevant"}).status_code == 404
        assert ask("bob", "GET", "/api/v1/jobs").json()["jobs"] == []
        assert "secret-name" not in ask("bob", "GET", "/jobs").text
        assert "secret-name" in ask("ann", "GET", "/jobs").text
        # A report of a check has indexed code.
        check = done("cid", data={"kind": "check", "diff": DIFF.format(1, "+value = 1\n")}, files=[("x", ("", b""))])
        asked = [f"/jobs/{check['id']}/report", check["reports"]["html"], check["reports"]["sarif"]]
        assert [ask("cid", "GET", path).status_code for path in asked] == [403, 403, 200]
        assert ask("ann", "DELETE", at).status_code == 204
        assert ask("ann", "GET", at).status_code == 404
        assert not [*(tmp_path / "reports").rglob(job["id"])]
    assert "secret-name" not in log.read_text()
    assert '"person": "ann", ' in log.read_text()


def below(process: psutil.Process) -> list[psutil.Process]:
    """The processes of the jobs of a server."""
    return [child for child in process.children() if "wherefrom.serve.jobs.work" in child.cmdline()]


@pytest.mark.slow
def test_a_running_job_is_cancelled_with_all_its_processes(reporting: tuple[str, Path]) -> None:
    address, folder = reporting
    job = send(address, "compare", HEAVY)["id"]
    runs(address, job)
    [worker] = below(server(address))
    processes = [worker, *worker.children(recursive=True)]
    assert WEB.delete(f"{address}/api/v1/jobs/{job}").status_code == 204
    _, alive = psutil.wait_procs(processes, timeout=HANGS)
    assert not alive
    assert not [*folder.rglob(job)]
    again = ended(address, send(address, "compare", compared(("a.py", b"a = 1\n"), ("b.py", b"b = 1\n")))["id"])
    assert again["state"] == "done", "the queue goes on"


@pytest.mark.slow
def test_too_many_unfinished_jobs_are_refused(code_index: Path, tmp_path: Path) -> None:
    with serving(code_index, "--reports", str(tmp_path)) as address:
        made = [send(address, "compare", HEAVY)["id"]]
        runs(address, made[0])
        [worker] = below(server(address))
        worker.suspend()  # it could end before the others are sent
        made += [send(address, "compare", HEAVY)["id"] for _ in range(MOST_OWN - 1)]
        answer = WEB.post(f"{address}/api/v1/jobs", data={"kind": "compare"}, files=HEAVY)
        assert answer.status_code == 503
        assert answer.headers["retry-after"]
        assert f"{MOST_OWN} jobs of yours" in answer.json()["detail"]
        assert WEB.get(f"{address}/api/v1/jobs/{made[-1]}").json()["before"] == MOST_OWN - 1
        # Checks have a turn of their own.
        WEB.delete(f"{address}/api/v1/jobs/{made[1]}")
        check = ended(address, send(address, "check", [], diff=DIFF.format(1, "+value = 1\n"))["id"])
        assert check["state"] == "done"
        assert WEB.get(f"{address}/api/v1/jobs/{made[0]}").json()["state"] == "running"


@contextmanager
def killed(address: str) -> Iterator[None]:
    """Kills a server; the processes of its jobs end by themselves."""
    process = server(address)
    jobs = [each for child in below(process) for each in (child, *child.children(recursive=True))]
    yield
    os.kill(process.pid, signal.SIGKILL)
    _, alive = psutil.wait_procs(jobs, timeout=HANGS)
    assert not alive


@pytest.mark.slow
def test_a_killed_server_loses_no_finished_job_and_runs_the_others_again(code_index: Path, tmp_path: Path) -> None:
    flags = ("--reports", str(tmp_path))
    with serving(code_index, *flags) as address:
        done = ended(address, send(address, "compare", compared(("all.zip", packed(HAND_INS))))["id"])
        text = report(address, done, "json")
        job = send(address, "compare", HEAVY)["id"]
        runs(address, job)
        with killed(address):
            pass
    with serving(code_index, *flags) as address:
        assert when(address, done["id"], lambda _: True) == done
        assert report(address, done, "json") == text
        assert ended(address, job)["state"] == "done"


@pytest.mark.slow
def test_a_job_has_limits(code_index: Path, tmp_path: Path) -> None:
    flags = ("--reports", str(tmp_path), "--job-seconds", "0.1", "--job-space", "0", "--max-upload", "100000")
    with serving(code_index, *flags) as address:
        job = ended(address, send(address, "compare", compared(("all.zip", packed(HAND_INS))))["id"])
        assert job["state"] == "failed"
        assert "more than 0.1 s" in job["message"]
        form = {"data": {"kind": "compare"}, "files": compared(("a.py", b"a = 1\n"))}
        full = WEB.post(f"{address}/api/v1/jobs", **form)  # type: ignore[arg-type] # a form
        assert (full.status_code, "delete some of yours" in full.json()["detail"]) == (503, True)
        large = [("submissions", ("a.zip", os.urandom(200_000)))]
        assert WEB.post(f"{address}/compare", files=large).status_code == 413
        head = b'--a\r\nContent-Disposition: form-data; name="submissions"; filename="a.zip"\r\n\r\n'
        kind = {"Content-Type": "multipart/form-data; boundary=a"}
        parts = iter([head, *[b"-" * 50_000] * 4])
        assert WEB.post(f"{address}/compare", content=parts, headers=kind).status_code == 413


def test_a_job_is_deleted_when_its_time_is_over(tmp_path: Path) -> None:
    store = JobStore(tmp_path / "reports", 7)
    for ended_at in (time.time() - 8 * 86_400, time.time() - 6 * 86_400):
        job = UploadJob(store.begin(), JobKind.CHECK, "ann", "a.zip", ended_at)
        store.save(job)
        store.end(UploadJob(**{**vars_of(job), "ended": 0.0}), JobState.DONE)
        store.save(UploadJob(**{**vars_of(store.job(job.id)), "ended": ended_at}))
    unfinished = UploadJob(store.begin(), JobKind.CHECK, "ann", "b.zip", 1.0)
    store.save(unfinished)
    cut_off = store.begin()
    os.utime(store.path(cut_off), (1.0, 1.0))
    uploading = store.begin()
    assert [found.title for found in store.jobs()] == ["a.zip", "b.zip"]
    store.clean()
    left = {path.name for path in (tmp_path / "reports").iterdir()}
    assert left == {store.jobs()[0].id, unfinished.id, uploading}


BROKEN: dict[str, Any] = {
    **{f"made {value}": {"made": value} for value in (1e99, "x", None, float("nan"), float("inf"), True, -1e18)},
    **{f"ended {value}": {"state": "done", "ended": value} for value in (1e99, "x", float("nan"), 1e12)},
    **{name: {name: 5} for name in ("id", "owner", "title", "message", "options", "formats", "page", "policy")},
    "starts": {"starts": "x"},
    "the id of another": {"id": "a" * 22},
    "a format of a list": {"formats": {"html": []}},
    "an unknown field": {"other": 5},
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_record_is_skipped_and_said(name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = JobStore(tmp_path, 7)
    jobs = [UploadJob(store.begin(), JobKind.CHECK, "ann", "a.zip", float(made)) for made in range(3)]
    for job in jobs:
        store.save(job)
    record = store.path(jobs[1].id) / "job.json"
    record.write_text(json.dumps({**json.loads(record.read_text()), **BROKEN[name]}))
    for _ in range(2):
        assert [job.id for job in store.jobs("ann")] == [jobs[2].id, jobs[0].id]
        assert store.size() > 0
        store.clean()
    with pytest.raises(NotFound):
        store.job(jobs[1].id)
    assert [jobs[1].id in line for line in caplog.messages] == [True]


def test_a_comparison_has_a_highest_number_of_reviews(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wherefrom.serve.jobs.store.MOST_REVIEWS", 2)
    store = JobStore(tmp_path, 7)
    job = store.begin()
    for pair in ("a" * 12, "b" * 12, "a" * 12):
        store.keep_review(job, pair, Review(ReviewState.DISMISSED))
    with pytest.raises(UsageError, match="at most 2 reviews"):
        store.keep_review(job, "c" * 12, Review(ReviewState.DISMISSED))
    assert {*store.reviews(job)} == {"a" * 12, "b" * 12}


def test_a_job_fails_if_its_report_cannot_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = JobStore(tmp_path, 7)
    job = UploadJob(
        store.begin(), JobKind.CHECK, "ann", "a.zip", 1.0, formats={"html": "report.html"}, page="report.html"
    )
    store.save(job)
    (store.path(job.id) / "report").mkdir()

    def full(path: Path, data: bytes) -> None:
        if (path.parent / "report").exists():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write_whole(path, data)

    monkeypatch.setattr("wherefrom.serve.jobs.store.write_whole", full)
    store.end(job, JobState.DONE)
    found = store.job(job.id)
    assert (found.state, found.formats, found.page) == (JobState.FAILED, {}, "")
    assert found.message.startswith("the report could not be kept: No space left on device; ")


@pytest.mark.parametrize(
    ("error", "raised"), [(OSError(errno.ENOSPC, "No space left on device"), QueueFull), (ClientDisconnect(), Gone)]
)
def test_an_upload_that_breaks_off_is_no_unexpected_error(
    error: Exception, raised: type[Exception], tmp_path: Path
) -> None:
    class Broken:
        scope: ClassVar[dict[str, Any]] = {"person": Person("ann", "ann", tuple(Right), None, "")}

        async def form(self, **_: int) -> None:
            raise error

    uploads = Uploads(JobQueue(JobStore(tmp_path, 7), None, None, None, processes=1), None, 9)  # type: ignore[arg-type]
    with pytest.raises(raised):
        asyncio.run(uploads.receive(Broken()))  # type: ignore[arg-type]
    assert not [*tmp_path.iterdir()]


def vars_of(job: UploadJob) -> dict[str, Any]:
    return {name: getattr(job, name) for name in UploadJob.__slots__}


def test_only_ids_name_jobs(tmp_path: Path) -> None:
    store = JobStore(tmp_path, 7)
    for name in ("", ".", "..", "../../etc/passwd", "a" * 21, "a" * 23, f"{'a' * 21}\n"):
        with pytest.raises(NotFound):
            store.job(name)
        with pytest.raises(NotFound):
            store.remove(name)


def test_one_server_runs_a_job(tmp_path: Path) -> None:
    store = JobStore(tmp_path, 7)
    job = store.begin()
    with store.taken(job) as one, JobStore(tmp_path, 7).taken(job) as other:
        assert (one, other) == (True, False)
    with store.taken(job) as one:
        assert one


def test_the_forms_work_without_scripts(reporting: tuple[str, Path]) -> None:
    address, _ = reporting
    with httpx.Client(base_url=address, timeout=HANGS, follow_redirects=True) as client:
        files = [*compared(("hostile<img src=x>\u202e.zip", packed(HAND_INS))), ("template", ("", b""))]
        page = client.post("/compare", data={"by": "", "author_of": ""}, files=files)
        job = page.url.path.rpartition("/")[2]
        assert re.fullmatch(r"[\w-]{22}", job)
        assert "<img" not in page.text
        assert "\u202e" not in page.text
        if not ended(address, job)["deleted"] and "http-equiv" not in page.text:
            raise AssertionError("the page loads itself again until the job has ended")
        page = client.get(f"/jobs/{job}")
        assert "<img" not in page.text
        assert f'href="/jobs/{job}/report"' in page.text
        shown = client.get(f"/jobs/{job}/report")
        policy = shown.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert "anna" in shown.text
        assert "<img" not in shown.text
        assert "<img" not in client.get("/jobs").text
        gone = client.post(f"/jobs/{job}/delete")
        assert gone.url.path == "/jobs"
        missing = client.get(f"/jobs/{job}", headers={"Accept": "text/html"})
        assert (missing.status_code, missing.headers["content-type"]) == (404, "text/html; charset=utf-8")
        wrong = client.post("/check", data={"diff": ""}, files=[("change", ("", b""))])
        assert (wrong.status_code, "nothing to check" in wrong.text) == (422, True)
