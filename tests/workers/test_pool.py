"""Worker processes may crash, hang or be killed. Only the task that caused it loses its result, and no process is
left."""

from __future__ import annotations

import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import chain
from multiprocessing import Pipe
from pathlib import Path
from typing import cast

import pytest

from tests.processes import HANGS, children
from tests.workers import tasks
from tests.workers.tasks import act, die, fail, is_prepared, measure, prepare, tell
from wherefrom.errors import UsageError, WherefromError
from wherefrom.support.workers import LEAST_PARSE_MEMORY, Died
from wherefrom.support.workers.pool import IN_FLIGHT, TRIES, TRIES_KILLED, Pool

PROJECT = Path(__file__).parents[2]
WORKER = PROJECT / "wherefrom" / "support" / "workers" / "worker.py"


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ignores processes of other tests, such as the parser of an open index."""
    monkeypatch.setattr(sys.modules[__name__], "STARTED_BEFORE", frozenset(children(os.getpid())))


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the workers import `tasks` by its name, without pytest, so that they start fast."""
    monkeypatch.syspath_prepend(PROJECT)


STARTED_BEFORE: frozenset[int] = frozenset()


def own_children() -> list[int]:
    """The processes that this test has started and not yet reaped."""
    return [process for process in children(os.getpid()) if process not in STARTED_BEFORE]


def run(
    batches: Sequence[Sequence[str]], *, jobs: int = 2, seconds: float | None = None, memory: int | None = None
) -> dict[str, object]:
    """The result of every task. Fails if a task has two results or none."""
    results: list[tuple[str, object]] = []
    with Pool(act, jobs=jobs, seconds=seconds, memory=memory) as pool:
        for done in pool.map(batches):
            results.extend(done)
    assert sorted(task for task, _ in results) == sorted(task for batch in batches for task in batch)
    assert own_children() == []
    return dict(results)


def test_every_task_has_its_result_and_a_batch_keeps_its_order() -> None:
    batches = [[f"{number}.{item}" for item in range(number % 4)] for number in range(40)]
    seen = []
    with Pool(act, jobs=2) as pool:
        for results in pool.map(batches):
            assert all(task == result for task, result in results)
            seen.append([task for task, _ in results])
        assert sorted(seen) == sorted(batches)
        assert [list(results) for results in pool.map([["again"]])] == [[("again", "again")]]
    assert own_children() == []


def test_the_workers_are_other_processes_and_no_more_than_asked_for() -> None:
    for jobs in (1, 2):
        results = run([[f"pid:{number}"] for number in range(20)], jobs=jobs)
        assert os.getpid() not in results.values()
        assert 1 <= len(set(results.values())) <= jobs


def test_no_worker_starts_without_a_task() -> None:
    with Pool(act, jobs=2) as pool:
        assert list(pool.map([])) == []
        assert own_children() == []
        assert [list(results) for results in pool.map([["one"]])] == [[("one", "one")]]
        assert len(own_children()) == 1


def test_the_initializer_runs_in_the_workers() -> None:
    with Pool(is_prepared, jobs=1, initialize=prepare) as pool:
        assert [list(results) for results in pool.map([[1]])] == [[(1, True)]]
    assert not tasks.prepared


@pytest.mark.thorough
@pytest.mark.parametrize("culprit", ["exit:0", "exit:3", "leave:x", "segfault", "kill", "memory", "half"])
def test_a_death_loses_only_its_task(culprit: str) -> None:
    results = run([["a", "b", culprit, "c"], ["d", "e"], ["f"]], jobs=1)
    assert results.pop(culprit) == Died("died")
    assert results == {name: name for name in "abcdef"}


@pytest.mark.thorough
@pytest.mark.parametrize("steps", [(act, tell), (tell, act)])
def test_a_death_in_a_step_of_a_batch_loses_only_its_task(steps: Sequence[Callable[[str], object]]) -> None:
    with Pool(act, jobs=1, steps=steps) as pool:
        results = dict(chain.from_iterable(pool.map([["a", "b", "exit:3", "c"], ["d"]])))
    assert results.pop("exit:3") == Died("died")
    assert results == {name: name for name in "abcd"}


@pytest.mark.thorough
@pytest.mark.parametrize("batches", [[["a", "pid:"]], [["a", "pid:"], ["c"]]])
def test_the_first_workers_are_forks_and_others_take_their_place_if_they_die(
    batches: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wherefrom.support.workers.pool.can_fork", lambda: True)
    monkeypatch.setattr("wherefrom.support.workers.pool.used_memory", lambda: 1)
    with Pool(act, jobs=2, seconds=HANGS, forks=True) as pool:
        done = dict(pair for results in pool.map(batches) for pair in results)
        assert done.pop("pid:") in own_children()
        assert all(task == result for task, result in done.items())
        assert len(own_children()) == len(batches)
        assert not any("worker.py" in Path(f"/proc/{child}/cmdline").read_text() for child in own_children())
        died = dict(pair for results in pool.map([["a", "kill", "b"]]) for pair in results)
        assert died == {"a": "a", "kill": Died("died"), "b": "b"}
        assert "worker.py" in Path(f"/proc/{own_children()[-1]}/cmdline").read_text()
        assert len([*pool.map([["a"], ["b"]])]) == 2
    with Pool(act, jobs=1, seconds=HANGS, tries=1, forks=True) as pool:
        assert [*pool.map([["kill"]])] == [[("kill", Died("died"))]]
        assert own_children() == []
    assert own_children() == []


@pytest.mark.skipif(sys.platform != "linux", reason="forks on Linux only")
def test_a_process_with_much_memory_does_not_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wherefrom.support.workers.pool.can_fork", lambda: True)
    with Pool(act, jobs=1, memory=LEAST_PARSE_MEMORY, forks=True) as pool:
        assert len([*pool.map([["a"]])]) == 1
        [child] = own_children()
        assert "worker.py" in Path(f"/proc/{child}/cmdline").read_text()


@pytest.mark.slow
def test_many_deaths_in_one_batch_and_everywhere() -> None:
    results = run([["exit:1", "a", "exit:2", "exit:3", "b"], ["exit:4"], ["c", "exit:5"]])
    died = {task for task, result in results.items() if result == Died("died")}
    assert died == {f"exit:{number}" for number in range(1, 6)}
    assert [results[name] for name in "abc"] == ["a", "b", "c"]


@pytest.mark.slow
def test_a_task_over_the_limit_is_killed_and_others_are_done() -> None:
    results = run([["a", "hang", "b"], ["c"], ["sleep:0.2", "sleep:0.3"]], seconds=1.0)
    assert results.pop("hang") == Died("timeout")
    assert set(results) == {"a", "b", "c", "sleep:0.2", "sleep:0.3"}
    assert not any(isinstance(result, Died) for result in results.values())


@pytest.mark.slow
def test_a_task_that_uses_the_processor_beyond_the_limit_is_killed() -> None:
    results = run([["a", "spend:600", "b"], ["spend:0.2", "spend:0.3"]], seconds=1.0)
    assert results.pop("spend:600") == Died("timeout")
    assert results == {task: task for task in ("a", "b", "spend:0.2", "spend:0.3")}


MEGABYTE = 1_000_000


@pytest.mark.slow
@pytest.mark.parametrize("how", ["take", "take_natively"])
def test_a_task_that_takes_more_memory_than_it_may_is_ended(how: str) -> None:
    """Either Python notices the limit, or an unchecked allocation in C fails."""
    task = f"{how}:{1000 * MEGABYTE}"
    results = run([["a", task, "b"], [f"take:{100 * MEGABYTE}"]], memory=300 * MEGABYTE)
    assert results.pop(task) == Died("died")
    assert results == {task: task for task in ("a", "b", f"take:{100 * MEGABYTE}")}


@pytest.mark.slow
def test_without_limits_of_the_system_the_parent_ends_the_worker(tmp_path: Path) -> None:
    task = f"take_without_limit:{tmp_path / 'tries'}"
    assert run([["a", task]], memory=300 * MEGABYTE) == {"a": "a", task: Died("died")}
    assert len((tmp_path / "tries").read_text().split()) == TRIES


def test_what_a_worker_prints_before_it_crashes_is_not_shown(capfd: pytest.CaptureFixture[str]) -> None:
    assert run([["mutter:a\x1b[31mb"]]) == {"mutter:a\x1b[31mb": Died("died")}
    assert capfd.readouterr() == ("", "")


@pytest.mark.nightly
@pytest.mark.slow
def test_the_time_of_a_stopped_worker_does_not_count(tmp_path: Path) -> None:
    mark, go = tmp_path / "mark", tmp_path / "go"

    def stop() -> None:
        process = process_in(mark)
        os.kill(process, signal.SIGSTOP)
        time.sleep(3.0)  # longer than the limit
        go.touch()
        os.kill(process, signal.SIGCONT)

    stopper = threading.Thread(target=stop)
    stopper.start()
    results = run([["a", f"spend_when_told:{mark}"]], jobs=1, seconds=1.5)
    stopper.join()
    assert not any(isinstance(result, Died) for result in results.values())


@pytest.mark.nightly
@pytest.mark.slow
def test_the_limit_is_for_a_task_and_not_for_a_batch_or_a_slow_reader() -> None:
    with Pool(act, jobs=1, seconds=1.0) as pool:
        results: list[tuple[str, object]] = []
        for batch in pool.map([["sleep:0.4"] * 4, ["large:1000000", "a"]]):
            time.sleep(1.1)
            results.extend(batch)
    assert len(results) == 6
    assert not any(isinstance(result, Died) for _, result in results)


def process_in(mark: Path) -> int:
    """Waits until a task has written its process id to a file, and returns the id."""
    while not (mark.exists() and mark.read_text().endswith("\n")):
        time.sleep(0.01)
    return int(mark.read_text())


def test_a_worker_killed_once_from_outside_loses_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    killer = threading.Thread(target=lambda: os.kill(process_in(mark), signal.SIGKILL))
    killer.start()
    results = run([["a", f"hold_once:{mark}", "b"], ["c"], ["d"], ["e"]])
    killer.join()
    assert results.pop(f"hold_once:{mark}") == f"hold_once:{mark}"
    assert results == {name: name for name in "abcde"}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("how", "place", "tries"), [("lose", 0, TRIES), ("lose", 1, TRIES), ("lose_to_kill", 1, TRIES_KILLED)]
)
def test_a_task_that_loses_its_worker_is_tried_again_before_it_is_given_up(
    tmp_path: Path, how: str, place: int, tries: int
) -> None:
    task = f"{how}:{tmp_path / 'tries'}"
    batch = ["a", "b"]
    batch.insert(place, task)
    results = run([batch, ["c"]])
    assert results == {task: Died("died"), "a": "a", "b": "b", "c": "c"}
    processes = (tmp_path / "tries").read_text().split()
    assert len(processes) == len(set(processes)) == tries


@pytest.mark.slow
def test_a_task_is_tried_again_alone(tmp_path: Path) -> None:
    task = f"who_is_busy:{tmp_path}"
    busy = [[f"busy:{tmp_path}"] for _ in range(20)]
    with Pool(act, jobs=3) as pool:
        results = [result for batch in pool.map([*busy[:6], ["a", task], *busy[6:]]) for result in batch]
    assert (task, ["tries"]) in results
    assert len(results) == 22


@pytest.mark.slow
def test_workers_killed_at_random_lose_nothing() -> None:
    batches = [[f"pid:{number}.{item}" for item in range(4)] for number in range(300)]
    results: list[tuple[str, object]] = []
    kills = 0
    done = threading.Event()

    def kill() -> None:
        nonlocal kills
        while not done.wait(0.1):
            up = {result for _, result in results[-100:]}
            for process in own_children():
                if process in up:
                    os.kill(process, signal.SIGKILL)
                    kills += 1
                    break

    killer = threading.Thread(target=kill)
    killer.start()
    with Pool(act, jobs=2) as pool:
        try:
            for batch in pool.map(batches):
                results.extend(batch)
                time.sleep(0.002)
        finally:
            done.set()
            killer.join()
    assert sorted(task for task, _ in results) == sorted(task for batch in batches for task in batch)
    assert kills > 0
    assert not any(isinstance(result, Died) for _, result in results)


def test_idle_workers_killed_between_two_runs_are_replaced() -> None:
    with Pool(act, jobs=1) as pool:
        assert [list(results) for results in pool.map([["a"]])] == [[("a", "a")]]
        (process,) = own_children()
        os.kill(process, signal.SIGKILL)
        wait_for_end([process])
        (only,) = [list(results) for results in pool.map([["b", "c"]])][-1:]
        assert only[-1] == ("c", "c")


@pytest.mark.slow
def test_large_tasks_and_results_do_not_block_each_other() -> None:
    task = bytes(range(256)) * 80_000  # 20 MB
    with Pool(measure, jobs=1) as pool:
        for results in pool.map([[task], [task], [task], [task, task]]):
            assert all(given == result for given, result in results)


@pytest.mark.slow
def test_results_of_50_megabytes() -> None:
    results = run([["large:50000000"], ["large:50000001", "a"], ["large:50000002"]])
    assert {len(cast("bytes", result)) for task, result in results.items() if task != "a"} == {
        50_000_000,
        50_000_001,
        50_000_002,
    }


@pytest.mark.slow
def test_a_worker_goes_on_while_nobody_takes_its_results(tmp_path: Path) -> None:
    mark = tmp_path / "mark"

    def batches() -> Iterator[list[str]]:
        yield ["large:50000000"]  # more than any buffer between the processes can take
        yield [f"append:{mark}"]
        end = time.monotonic() + 60
        while not mark.exists() and time.monotonic() < end:
            time.sleep(0.01)
        assert mark.exists()
        yield ["a"]

    with Pool(act, jobs=1) as pool:
        assert [task for results in pool.map(batches()) for task, _ in results] == [
            "large:50000000",
            f"append:{mark}",
            "a",
        ]


@pytest.mark.thorough
def test_results_of_a_worker_that_is_killed_before_anybody_takes_them() -> None:
    with Pool(act, jobs=1) as pool:
        running = pool.map([["a"], ["large:50000000", "b"], ["c"]])
        first = list(next(running))
        (process,) = own_children()
        os.kill(process, signal.SIGKILL)
        wait_for_end([process])
        results = {task: result for batch in running for task, result in batch}
    assert first == [("a", "a")]
    assert results == {"large:50000000": bytes(50_000_000), "b": "b", "c": "c"}


def test_the_input_is_pulled_only_while_there_is_room() -> None:
    pulled = 0

    def batches() -> Iterator[list[str]]:
        nonlocal pulled
        for number in range(30):
            pulled += 1
            yield [str(number)]

    done = 0
    with Pool(act, jobs=2) as pool:
        for _ in pool.map(batches()):
            assert pulled - done <= 2 * IN_FLIGHT
            done += 1
    assert done == pulled == 30


@pytest.mark.thorough
@pytest.mark.parametrize(("task", "error"), [("bug:boom", ZeroDivisionError), ("oserror:boom", BrokenPipeError)])
def test_an_exception_of_the_work_is_raised_here(task: str, error: type[Exception]) -> None:
    with Pool(act, jobs=2) as pool, pytest.raises(error, match="boom") as caught:
        list(pool.map([["a"], ["b", task, "hang"], ["hang"]]))
    assert "in act" in "".join(caught.value.__notes__)
    assert own_children() == []


def test_exceptions_and_results_that_cannot_be_pickled_are_raised_as_others() -> None:
    with Pool(act, jobs=1) as pool:
        with pytest.raises(RuntimeError, match="Untransportable in a worker process") as caught:
            list(pool.map([["odd"]]))
        assert "in act" in "".join(caught.value.__notes__)
        with pytest.raises((AttributeError, TypeError, RuntimeError), match=r"pickle|local|PicklingError"):
            list(pool.map([["local"]]))
        assert [list(results) for results in pool.map([["a"]])] == [[("a", "a")]]


def test_an_exception_of_the_initializer_is_raised_here() -> None:
    with Pool(act, jobs=1, initialize=fail) as pool, pytest.raises(LookupError, match="no grammar"):
        list(pool.map([["a"]]))


@pytest.mark.parametrize("kilobytes", [100_000, 200_000, 300_000])
def test_too_little_address_space_is_an_error_at_once(kilobytes: int) -> None:
    script = (
        "import resource, sys\n"
        "from wherefrom.errors import WherefromError\n"
        "from wherefrom.support.workers.pool import Pool\n"
        f"resource.setrlimit(resource.RLIMIT_AS, ({kilobytes} * 1024,) * 2)\n"
        "try:\n"
        "    list(Pool(len, jobs=1).map([['a']]))\n"
        "except WherefromError as error:\n"
        "    sys.exit(str(error))\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=HANGS, check=False)
    assert ended.stderr.startswith(f"the limit on memory (ulimit -v) is {kilobytes:,} kB; allow 400,000 kB")
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["_thread.start_new_thread", "threading.Thread.start"])
def test_a_thread_that_cannot_be_started_is_an_error(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(f"wherefrom.support.workers.pool.{name}", refuse)
    with pytest.raises(WherefromError, match="cannot start a worker process: can't start new thread; close"):
        list(Pool(len, jobs=1).map([["a"]]))


def test_workers_that_never_start_are_an_error_and_not_an_endless_loop() -> None:
    with Pool(act, jobs=2, initialize=die) as pool, pytest.raises(WherefromError, match=r"exit code 7.*fewer jobs"):
        list(pool.map([["a"], ["b"]]))
    assert own_children() == []


def test_an_error_of_the_input_ends_the_workers() -> None:
    def batches() -> Iterator[list[str]]:
        yield ["hang"]
        raise LookupError("no such repository")

    with Pool(act, jobs=2) as pool:
        with pytest.raises(LookupError, match="no such repository"):
            list(pool.map(batches()))
        assert own_children() == []


def test_leaving_early_ends_the_workers_and_the_pool_can_be_used_again() -> None:
    with Pool(act, jobs=2) as pool:
        with closing(cast("Iterator[object]", pool.map([["a"], ["hang"], ["hang"], ["hang"]]))) as running:  # type: ignore[type-var]  # a generator
            next(running)
        assert own_children() == []
        assert [list(results) for results in pool.map([["b"]])] == [[("b", "b")]]
    assert own_children() == []


@pytest.mark.slow
def test_ctrl_c_ends_the_workers_at_once() -> None:
    timer = threading.Timer(1.0, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT))
    with Pool(act, jobs=2) as pool:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            list(pool.map([["hang"], ["hang"], ["hang"]]))
    timer.join()
    assert own_children() == []


SCRIPT = """
import os, sys
sys.path.insert(0, {project!r})
from tests.workers.tasks import act
from wherefrom.support.workers.pool import Pool

if __name__ == "__main__":
    with Pool(act, jobs=2) as pool:
        for results in pool.map([["pid:1"], ["pid:2"], *([["hang"]] * 10)]):
            print(results[0][1], flush=True)
"""


def start(tmp_path: Path, text: str, *arguments: str) -> subprocess.Popen[str]:
    script = tmp_path / "script.py"
    script.write_text(text.format(project=str(PROJECT)))
    return subprocess.Popen(
        [sys.executable, script, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def has_ended(process: int) -> bool:
    """Whether a process no longer exists, or has ended and nobody has reaped it."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state == "Z"


def wait_for_end(processes: Sequence[int]) -> None:
    while not all(has_ended(process) for process in processes):
        time.sleep(0.01)


linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@linux
@pytest.mark.parametrize("forks", [False, True])
def test_workers_end_when_their_parent_is_killed(tmp_path: Path, forks: bool) -> None:
    with start(tmp_path, SCRIPT.replace("jobs=2", f"jobs=2, forks={forks}")) as parent:
        assert parent.stdout is not None
        workers = [int(parent.stdout.readline()) for _ in range(2)]
        parent.kill()
        wait_for_end(workers)


STOPPED = """
import sys
sys.path.insert(0, {project!r})
from tests.workers.tasks import act
from wherefrom.support.workers.pool import Pool

with Pool(act, jobs=1, seconds=1.5) as pool:
    print([result for results in pool.map([["a", "spend_when_told:" + sys.argv[1]]]) for result in results])
"""


@pytest.mark.nightly
@pytest.mark.slow
@linux
def test_the_time_of_a_stopped_run_does_not_count(tmp_path: Path) -> None:
    """The worker and the process that watches it stop for longer than the limit, as by Ctrl-Z."""
    mark = tmp_path / "mark"
    with start(tmp_path, STOPPED, str(mark)) as parent:
        process_in(mark)
        os.killpg(parent.pid, signal.SIGSTOP)
        time.sleep(3.0)
        mark.with_name("go").touch()
        os.killpg(parent.pid, signal.SIGCONT)
        output, errors = parent.communicate()
    assert (output, errors) == (f"{[('a', 'a'), (task := f'spend_when_told:{mark}', task)]}\n", "")


@pytest.mark.thorough
@linux
def test_ctrl_c_to_the_whole_group_is_quiet_in_the_workers(tmp_path: Path) -> None:
    with start(tmp_path, SCRIPT) as parent:
        assert parent.stdout is not None
        assert parent.stderr is not None
        workers = [int(parent.stdout.readline()) for _ in range(2)]
        os.killpg(parent.pid, signal.SIGINT)
        errors = parent.stderr.read()
        parent.wait()
        wait_for_end(workers)
    assert parent.returncode == -signal.SIGINT
    assert errors.count("KeyboardInterrupt") == 1
    assert errors.count("Traceback") == 1


WITHOUT_GUARD = """
import sys
sys.path.insert(0, {project!r})
from tests.workers.tasks import act
from wherefrom.support.workers.pool import Pool

print("once")
with Pool(act, jobs=2) as pool:
    print(sorted(task for results in pool.map([["a"], ["b"]]) for task, _ in results))
"""


@pytest.mark.thorough
@pytest.mark.parametrize("how", ["file", "-c", "-"])
def test_a_script_does_not_need_a_main_guard(tmp_path: Path, how: str) -> None:
    text = WITHOUT_GUARD.format(project=str(PROJECT))
    script = tmp_path / "script.py"
    script.write_text(text)
    arguments = {"file": [str(script)], "-c": ["-c", text], "-": ["-"]}[how]
    done = subprocess.run([sys.executable, *arguments], input=text, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "once\n['a', 'b']\n", "")


@pytest.mark.thorough
def test_nothing_is_imported_from_the_working_directory(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(WITHOUT_GUARD.format(project=str(PROJECT)))
    folder = tmp_path / "hostile"
    folder.mkdir()
    for name in ("pickle", "threading", "sitecustomize", "wherefrom", "tests"):
        (folder / f"{name}.py").write_text("raise SystemExit('imported')\n")
    done = subprocess.run(
        [sys.executable, tmp_path / "script.py"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "once\n['a', 'b']\n", "")


def test_a_program_that_cannot_be_started_is_an_error_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with (
        Pool(act, jobs=1) as pool,
        pytest.raises(WherefromError, match=r"cannot start a worker process: .*[Ff]ile.*;"),
    ):
        list(pool.map([["a"]]))


INTERRUPTED = """
import itertools, os, signal, sys
sys.path.insert(0, {project!r})
from tests.workers.tasks import act
from wherefrom.support.workers.pool import Pool

left = iter(())

def step(*_):
    # Counts what this process does from the first batch to the last result; sends Ctrl-C to its group in time.
    if next(left, None) == 0:
        os.killpg(0, signal.SIGINT)

def trace(frame, event, argument):
    if event == "line":
        step()
    return trace

def is_interrupted(steps):
    global left
    try:
        with Pool(act, jobs=2) as pool:
            left = itertools.count(-steps)  # which is safe with several threads
            sys.settrace(trace)
            for results in pool.map([["a"], ["b"]]):
                pass
            left = iter(())
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)
        left = iter(())
    return False

sys.addaudithook(step)  # for the threads that the pool starts, which are not traced
signal.signal(signal.SIGINT, signal.default_int_handler)
interrupts = 0
for steps in range(1, 3000, 23):
    if not is_interrupted(steps):
        break
    interrupts += 1
    try:
        os.waitpid(-1, os.WNOHANG)
        sys.exit(f"a process is left after an interrupt at step {{steps}}")
    except ChildProcessError:
        pass
print(interrupts)
"""


@pytest.mark.nightly
@pytest.mark.slow
def test_an_interrupt_at_any_moment_is_quiet_and_leaves_no_process(tmp_path: Path) -> None:
    with start(tmp_path, INTERRUPTED) as parent:
        output, errors = parent.communicate()
    assert (parent.returncode, errors) == (0, "")
    assert int(output) > 20


@pytest.mark.parametrize("sent", ["nothing", "half", "all", "task"])
@pytest.mark.parametrize("interrupts", [0, 1])
def test_a_worker_is_quiet_when_its_parent_goes_away(tmp_path: Path, sent: str, interrupts: int) -> None:
    mark = tmp_path / "mark"
    ours, its = Pipe()
    first = pickle.dumps((sys.path, None, pickle.dumps(((act,), None))))
    # SIGINT is blocked, as the pool does it.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    progress = (tmp_path / "progress").open("w+b")
    progress.write(bytes(8))
    progress.flush()
    descriptors = [its.fileno(), progress.fileno()]
    worker = subprocess.Popen(
        [sys.executable, "-P", str(WORKER), *map(str, descriptors)],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=descriptors,
    )
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    its.close()
    progress.close()
    for _ in range(interrupts):
        worker.send_signal(signal.SIGINT)
    match sent:
        case "half":
            os.write(ours.fileno(), struct.pack("!i", len(first)) + first[:10])
        case "all":
            ours.send_bytes(first)
            assert ours.recv() == ("up", None)
        case "task":
            ours.send_bytes(first)
            ours.send([f"hold:{mark}"])
            assert ours.recv() == ("up", None)
            assert process_in(mark) == worker.pid
            assert (tmp_path / "progress").read_bytes() == struct.pack("=q", 1)
    ours.close()
    _, errors = worker.communicate()
    assert errors == b""


@pytest.mark.parametrize(
    ("jobs", "seconds", "memory"),
    [(0, None, None), (-1, None, None), (1, 0.0, None), (1, -1.0, None), (1, float("nan"), None), (1, None, 1000)],
)
def test_impossible_arguments_are_an_error(jobs: int, seconds: float | None, memory: int | None) -> None:
    with pytest.raises(UsageError, match=";"):
        Pool(act, jobs=jobs, seconds=seconds, memory=memory)
