"""Code may crash the process that analyzes it, but nothing else. There is one such process while somebody needs it."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from tests.processes import children
from wherefrom.analyzers.analysis import analyze_file, analyze_snippet
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.analyzer import Analyzer, ParserDied
from wherefrom.analyzers.tokens import TokenStream
from wherefrom.analyzers.units import units
from wherefrom.errors import LanguageError, UsageError
from wherefrom.model import SkipReason
from wherefrom.options import Limits

SAMPLES = Path(__file__).parents[1] / "analyzers" / "samples"
PYTHON = (SAMPLES / "python.sample").read_bytes()

MEMORY = 250_000_000
BOMBS = {"java": b"a<" * 100_000, "csharp": b"a<" * 100_000, "c": b"a => " * 20_000}
"""Without a limit, each of these takes more than 6 GB. Workers limit themselves to `MEMORY`, and the pool watches
them."""


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.skipif(sys.platform != "linux", reason="forks"))])
def forks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether calls are answered by forks. The process of the tests may have threads, such as those of NumPy."""
    monkeypatch.setattr("wherefrom.analyzers.analyzer.can_fork", lambda: request.param)
    return bool(request.param)


@pytest.fixture
def analyzer(forks: bool) -> Iterator[Analyzer]:
    with Analyzer(MEMORY) as made:
        yield made


@pytest.fixture
def lasting(monkeypatch: pytest.MonkeyPatch) -> Iterator[Analyzer]:
    """An analyzer whose first call starts the process that stays."""
    monkeypatch.setattr("wherefrom.analyzers.analyzer.FORKS", 0)
    with Analyzer(MEMORY) as made:
        yield made


def processes() -> set[int]:
    return set(children(os.getpid()))


def assert_same(one: object, other: object) -> None:
    assert isinstance(one, Analysis)
    assert isinstance(other, Analysis)
    assert (one.language, one.comments, one.errors, one.left_out) == (
        *(other.language, other.comments, other.errors, other.left_out),
    )
    for field in fields(TokenStream):
        assert np.array_equal(getattr(one.tokens, field.name), getattr(other.tokens, field.name)), field.name


@pytest.mark.thorough
def test_it_gives_the_same_answers_as_the_analysis(analyzer: Analyzer) -> None:
    assert_same(analyzer.snippet(PYTHON, name="a.py"), analyze_snippet(PYTHON, name="a.py"))
    assert_same(analyzer.snippet(PYTHON, language="ruby"), analyze_snippet(PYTHON, language="ruby"))
    expected = analyze_file("a.py", PYTHON)
    assert isinstance(expected, Analysis)
    assert_same(analyzer.file("a.py", PYTHON, Limits()), expected)
    answered = analyzer.units("a.py", PYTHON, Limits(), 20)
    assert not isinstance(answered, SkipReason)
    assert_same(answered[0], expected)
    assert answered[1] == units("a.py", PYTHON, expected, least=20)
    assert analyzer.file("a.json", b"{}", Limits()) == analyzer.units("a.json", b"{}", Limits(), 20) == "data_file"


@pytest.mark.thorough
def test_an_error_is_raised_here_and_the_process_goes_on(analyzer: Analyzer) -> None:
    analyzer.snippet(b"a = 1\n")
    before = processes()
    with pytest.raises(LanguageError, match="klingon"):
        analyzer.snippet(b"a = 1\n", language="klingon")
    analyzer.snippet(b"a = 1\n")
    assert processes() == before


@pytest.mark.nightly
@pytest.mark.parametrize("language", BOMBS)
@pytest.mark.slow
def test_too_much_memory_is_an_error_and_the_next_call_is_answered(analyzer: Analyzer, language: str) -> None:
    with pytest.raises(ParserDied, match=r"^to parse it takes more than 0\.25 GB of memory, .*parse_memory.*$"):
        analyzer.snippet(BOMBS[language], language=language)
    ending = {"java": "java", "csharp": "cs", "c": "c"}[language]
    assert analyzer.file(f"a.{ending}", BOMBS[language], Limits()) is SkipReason.WORKER_DIED
    assert analyzer.units(f"a.{ending}", BOMBS[language], Limits(), 20) is SkipReason.WORKER_DIED
    assert_same(analyzer.snippet(PYTHON, name="a.py"), analyze_snippet(PYTHON, name="a.py"))


@pytest.mark.slow
def test_a_process_that_is_killed_between_two_calls_is_replaced(lasting: Analyzer) -> None:
    before = processes()
    lasting.snippet(PYTHON)
    (process,) = processes() - before
    os.kill(process, signal.SIGKILL)
    assert_same(lasting.snippet(PYTHON), analyze_snippet(PYTHON))


@pytest.mark.slow
def test_a_process_that_is_killed_once_in_a_call_is_replaced(lasting: Analyzer) -> None:
    """The process is stopped before the call, so that the kill hits it during the call."""
    before = processes()
    lasting.snippet(PYTHON)
    (process,) = processes() - before
    os.kill(process, signal.SIGSTOP)
    with ThreadPoolExecutor() as threads:
        analysis = threads.submit(lasting.snippet, PYTHON)
        os.kill(process, signal.SIGKILL)
        assert_same(analysis.result(), analyze_snippet(PYTHON))


@pytest.mark.slow
@pytest.mark.parametrize("forks", [False], indirect=True)
def test_analyzers_with_one_limit_share_a_process_that_ends_with_the_last_of_them(forks: bool) -> None:
    before = processes()
    one, other = Analyzer(MEMORY), Analyzer(MEMORY)
    assert processes() == before
    for analyzer in (one, other):
        analyzer.snippet(b"a = 1\n")
    assert len(processes() - before) == 1
    one.close()
    one.close()
    other.snippet(b"a = 1\n")
    assert len(processes() - before) == 1
    more = Analyzer(MEMORY + 1)
    more.snippet(b"a = 1\n")
    assert len(processes() - before) == 2
    more.close()
    del other, analyzer
    gc.collect()
    assert processes() == before


@pytest.mark.thorough
def test_a_closed_analyzer_can_be_used_again(analyzer: Analyzer) -> None:
    before = processes()
    analyzer.snippet(b"a = 1\n", language="python")
    analyzer.close()
    assert processes() == before
    assert analyzer.snippet(b"a = 1\n", language="python").language == "python"


@pytest.mark.thorough
def test_threads_get_their_own_answers(analyzer: Analyzer) -> None:
    def tokens(count: int) -> int:
        return len(analyzer.snippet(b"word\n" * count, language="python").tokens)

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(tokens, range(1, 60))) == list(range(1, 60))


def test_an_impossible_limit_is_an_error() -> None:
    with pytest.raises(UsageError, match="a limit of 1000 bytes leaves no memory"):
        Analyzer(1000)


def run(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


FORKED = """
import os
from wherefrom.analyzers.analyzer import Analyzer

def count(words):
    return len(analyzer.snippet(b"word\\n" * words, language="python").tokens)

analyzer = Analyzer()
counts = [count(1) for _ in range(9)][:1]
child = os.fork()
if not child:
    ok = [count(words) for words in range(200)] == list(range(200))
    del analyzer
    os._exit(0 if ok else 1)
counts += [count(words) for words in range(2, 200)]
print(os.waitpid(child, 0)[1], counts == list(range(1, 200)))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="forks of a process with threads")
def test_a_fork_has_a_process_of_its_own() -> None:
    assert run(FORKED) == "0 True\n"


INTERRUPTED = """
import os, signal
from wherefrom.analyzers.analyzer import Analyzer

signal.signal(signal.SIGINT, signal.default_int_handler)
analyzer = Analyzer(700_000_000)
analyzer.snippet(b"a = 1\\n", language="java")
signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
signal.setitimer(signal.ITIMER_REAL, 0.1)
try:
    analyzer.snippet(b"a<" * 40_000, language="java")
except KeyboardInterrupt:
    print("interrupted")
print(len(analyzer.snippet(b"a b c\\n", language="java").tokens))
"""


@pytest.mark.slow
def test_an_interrupted_call_leaves_nothing_for_the_next_one() -> None:
    assert run(INTERRUPTED) == "interrupted\n3\n"


def test_the_calling_process_does_not_load_the_parsers() -> None:
    program = (
        "import sys; from wherefrom.analyzers.analyzer import Analyzer; Analyzer();"
        "print([name for name in sys.modules if name in ('numpy', 'tree_sitter', 'psutil', 'wherefrom.languages')])"
    )
    assert run(program) == "[]\n"


@pytest.mark.slow
def test_the_process_ends_even_if_the_program_does_not_close_it() -> None:
    program = (
        "import os; from tests.processes import children; from wherefrom.analyzers.analyzer import FORKS, Analyzer;"
        "analyzer = Analyzer(); [analyzer.snippet(b'a') for _ in range(FORKS + 1)]; print(*children(os.getpid()))"
    )
    (process,) = map(int, run(program).split())
    while Path(f"/proc/{process}").exists():
        time.sleep(0.01)
