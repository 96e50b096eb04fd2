"""Sends fuzzed files and snippets through every step before a content reaches an index."""

from __future__ import annotations

import os
import traceback
from collections import Counter
from dataclasses import dataclass, fields
from pathlib import Path
from random import Random
from tempfile import gettempdir
from unittest.mock import patch

import numpy as np

from soak.cases import Case, Outcome
from soak.inputs import fuzzed
from wherefrom.analyzers import kernel
from wherefrom.analyzers.analysis import analyze_file, analyze_snippet
from wherefrom.analyzers.analyzed import Analysis
from wherefrom.analyzers.documents import document
from wherefrom.analyzers.fingerprints import document_terms
from wherefrom.analyzers.references import dump_references, of_file
from wherefrom.analyzers.tokens import TokenStream, decode, encode
from wherefrom.model import SkipReason
from wherefrom.options import Limits
from wherefrom.support import extension
from wherefrom.support.positions import newlines
from wherefrom.support.workers import PARSE_MEMORY, Died
from wherefrom.support.workers.pool import Pool

LIMITS = Limits(include_generated=True, include_data=True)

INPUTS = 5000
"""Inputs of a round. One in `SNIPPETS` is also analyzed as a snippet."""

SNIPPETS = 8

BATCH = 100

SANITIZED = "WHEREFROM_KERNEL_SANITIZE"
"""The variable that is set if the kernel has sanitizers. Their reports end a worker."""

SECONDS = 60.0
"""An input fails after this much processor time. A single parse may take 5 seconds, and a snippet needs several."""


def faults_of(content: bytes, tokens: TokenStream) -> list[str]:
    """The contradictions in a token stream."""
    count = len(tokens)
    same = decode(encode(tokens))
    claims = {
        "as many of each": {len(tokens.codes), len(tokens.classes), len(tokens.starts), len(tokens.ends)} == {count},
        "no empty token": bool((tokens.starts < tokens.ends).all()),
        "in order": bool((np.diff(tokens.starts) >= 0).all()),
        "inside of the content": not count or (tokens.starts[0] >= 0 and int(tokens.ends.max()) <= len(content)),
        "lines from 1": bool((tokens.start_lines >= 1).all() and (tokens.start_lines <= tokens.end_lines).all()),
        "lines of the content": not count or int(tokens.end_lines.max()) <= len(newlines(content)) + 1,
        "segments": len(tokens.segments) == len(tokens.languages) and (not count or tokens.segments[-1] < count),
        "stored and read again": all(
            getattr(tokens, part).tolist() == getattr(same, part).tolist()
            for part in ("codes", "classes", "starts", "ends", "start_lines", "end_lines", "segments")
        ),
    }
    return [f"not so: {claim}" for claim, holds in claims.items() if not holds]


def differences(path: str, content: bytes) -> list[str]:
    """The differences between the documents of the kernel and of Python. Empty if the kernel is not used."""
    if kernel.active() is None:
        return []
    native = document(path, content, LIMITS)
    with patch.dict(os.environ, {extension.VARIABLE: "0"}):
        pure = document(path, content, LIMITS)
    if isinstance(native, SkipReason) or isinstance(pure, SkipReason):
        # If only one of the two times out, this does not count: it depends on the speed of the machine.
        is_timeout = SkipReason.PARSE_TIMEOUT in (native, pure)
        return [] if native == pure or is_timeout else [f"the kernel gives {native}, Python {pure}"]
    terms = {key: values.tolist() for key, values in pure.terms.items()}
    found = {
        field.name
        for field in fields(pure)
        if field.name != "terms" and getattr(pure, field.name) != getattr(native, field.name)
    }
    found |= {"terms"} if terms != {key: values.tolist() for key, values in native.terms.items()} else set()
    return [f"the kernel gives other {name}" for name in sorted(found)]


def analyze(path: str, content: bytes, *, is_snippet: bool) -> tuple[str, list[str]]:
    """The result for a content, in a few words, and the failures."""
    try:
        made = analyze_file(path, content, LIMITS)
        if isinstance(made, Analysis):
            wrong = faults_of(content, made.tokens)
            document_terms(made.tokens)
            dump_references(of_file(content, made))
            wrong += differences(path, content)
        else:
            wrong = []
        if is_snippet:
            wrong += faults_of(content, analyze_snippet(content, name=path).tokens)
    except MemoryError:
        raise
    except Exception:
        return "failed", [traceback.format_exc()]
    return ("skipped" if isinstance(made, SkipReason) else "analyzed"), wrong


@dataclass(frozen=True, slots=True)
class Input:
    """One input of a round."""

    seed: int
    number: int

    @property
    def case(self) -> Case:
        """The input with its content."""
        path, content = fuzzed(Random(f"{self.seed}/{self.number}"))
        return Case("analysis", self.seed, path, content)


def work(task: Input) -> tuple[str, list[str]]:
    """Analyzes one input, in a worker process."""
    keep_reports()
    case = task.case
    return analyze(case.path, case.content, is_snippet=task.number % SNIPPETS == 0)


def reports_of(process: int) -> Path:
    """The file of reports from the workers of a process."""
    return Path(gettempdir()) / f"wherefrom-sanitizers-{process}"


def keep_reports() -> None:
    """Keeps the reports of sanitizers in this worker, whose standard error goes nowhere otherwise."""
    if os.environ.get(SANITIZED):
        with reports_of(os.getppid()).open("ab") as file:
            os.dup2(file.fileno(), 2)


def faults_of_death(result: Died) -> list[str]:
    """The failure of an input that ended its worker. Without sanitizers, a limit or a grammar may be the reason."""
    if result.reason != "died" or not os.environ.get(SANITIZED):
        return []
    file = reports_of(os.getpid())
    text = file.read_text(errors="replace") if file.exists() else ""
    file.unlink(missing_ok=True)
    return [text or "the worker died without a report"]


def run(seed: int, jobs: int, inputs: int = INPUTS) -> list[Outcome]:
    """Runs one round. Returns one outcome for the figures, and one for each input that failed."""
    total = Outcome(Case("analysis", seed), Counter(inputs=inputs))
    found = [total]
    tasks = [Input(seed, number) for number in range(inputs)]
    batches = [tasks[start : start + BATCH] for start in range(0, inputs, BATCH)]
    with Pool(work, jobs=jobs, seconds=SECONDS, memory=PARSE_MEMORY) as pool:
        for results in pool.map(batches):
            for task, result in results:
                if isinstance(result, Died):
                    # As in indexing, only this input is skipped.
                    total.counts[f"given up: {result.reason}"] += 1
                    if wrong := faults_of_death(result):
                        found.append(Outcome(task.case, Counter(), wrong))
                    continue
                word, wrong = result
                total.counts[word] += 1
                if wrong:
                    found.append(Outcome(task.case, Counter(), wrong))
    reports_of(os.getpid()).unlink(missing_ok=True)
    return found


def _again(case: Case) -> tuple[str, list[str]]:
    """Analyzes the content of a case, in a worker process."""
    keep_reports()
    return analyze(case.path, case.content, is_snippet=True)


def replay(case: Case) -> Outcome:
    """Analyzes the content of a case again."""
    with Pool(_again, jobs=1, seconds=SECONDS, memory=PARSE_MEMORY) as pool:
        [[(_, result)]] = pool.map([[case]])
    word, wrong = (f"given up: {result.reason}", faults_of_death(result)) if isinstance(result, Died) else result
    return Outcome(case, Counter({word: 1}), wrong)
