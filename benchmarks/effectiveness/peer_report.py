"""The tables of the comparison with the peers, as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill

from benchmarks.effectiveness.metrics import mean
from benchmarks.effectiveness.verdicts import Verdict, by_kind, figures
from benchmarks.timing import table

OURS = "wherefrom"
DEFAULT = "default"

Run = tuple[str, str]
"""A tool and its setting."""

Verdicts = Mapping[Run, Sequence[Verdict]]
"""The verdicts of every run on the same queries. Runs of one tool follow each other, the default setting first."""


def chosen(verdicts: Verdicts) -> dict[Run, str]:
    """The first run of each tool and, if it is another run, the best one, each with a label. The best run has the true
    file first most often, or if runs are equal in that, among the first ten.
    """
    labels: dict[Run, str] = {}
    for name in dict.fromkeys(name for name, _ in verdicts):
        runs = [run for run in verdicts if run[0] == name]
        seen = {run: figures(verdicts[run]) for run in runs}
        best = max(runs, key=lambda run: (seen[run].first, seen[run].short_list))
        labels |= {runs[0]: name} if best == runs[0] else {runs[0]: name, best: f"{name}, best"}
    return labels


def by_variant(verdicts: Verdicts) -> str:
    """For each variant the shares of true files that are first / among the first ten, in the chosen settings."""
    labels = chosen(verdicts)
    planted = {run: by_kind(verdicts[run])[0] for run in labels}
    variants = dict.fromkeys(each.case.variant for group in planted.values() for each in group)
    rows = []
    for variant in variants:
        groups = [[each for each in planted[run] if each.case.variant == variant] for run in labels]
        rows.append([variant, str(len(groups[0])), *map(_found, groups)])
    rows.append(["all", str(len(next(iter(planted.values())))), *map(_found, planted.values())])
    return table(("variant", "queries", *labels.values()), rows)


def _found(group: Sequence[Verdict]) -> str:
    return f"{mean([each.first for each in group]):.2f} / {mean([each.short_list for each in group]):.2f}"


def by_setting(verdicts: Verdicts) -> str:
    """What each tool finds in each setting, and what it answers if there is nothing to be found."""
    rows = []
    for (name, setting), group in verdicts.items():
        seen = figures(group)
        shares = (seen.certain, seen.misled, seen.silent, seen.answered)
        rows.append([name, setting, f"{seen.first:.2f} / {seen.short_list:.2f}", *(f"{share:.2f}" for share in shares)])
    head = (
        "first / first ten",
        "first, above every stranger",
        "wrong file above",
        "nothing named",
        "strangers answered",
    )
    return table(("tool", "setting", *head), rows)


def wrong_answers(verdicts: Verdicts, most: int) -> str:
    """The files that the chosen settings name wrongly: for strangers, and above the true file. Of each kind at most
    `most`, those with the highest scores.
    """
    rows = []
    for run, label in chosen(verdicts).items():
        planted, strangers = by_kind(verdicts[run])
        for kind in (strangers, planted):
            wrong = sorted((each for each in kind if each.is_misled), key=lambda each: -each.wrong_score)
            for each in wrong[:most]:
                true = "nothing" if each.is_stranger else f"{each.true:.3g}" if each.true else "not named"
                asked = f"{each.case.variant}: {each.case.label}"
                rows.append([label, asked, each.wrong, f"{each.wrong_score:.3g}", true])
            if len(wrong) > most:
                rows.append([label, f"and {len(wrong) - most} more", "", "", ""])
    return table(("tool", "asked about", "wrong file", "its score", "the true one's"), rows)


def numbered_cost(verdicts: Verdicts) -> str:
    """What prompts and line numbers cost: the share that is left of the score of the untouched function."""
    rows = []
    for run, label in chosen(verdicts).items():
        planted, _ = by_kind(verdicts[run])
        of = {(each.case.variant, each.case.label): each.true for each in planted}
        left = [of["numbered", label] / true for (variant, label), true in of.items() if variant == "exact" and true]
        rows.append([label, str(len(left)), f"{mean(left):.2f}" if left else ""])
    return table(("tool", "functions found untouched", "of their score left with prompts or line numbers"), rows)


@dataclass(frozen=True, slots=True)
class Circumstances:
    """The circumstances of a run: state of code and peers, command, files of each language, and the peers left out."""

    state: str
    command: str
    files: Mapping[str, int]
    notes: Sequence[str]


def page(verdicts: Verdicts, run: Circumstances, most: int) -> str:
    """All tables: for all languages together, if there are several, then for each; `most` as in `wrong_answers`."""
    files = ", ".join(f"{language}: {number} files" for language, number in run.files.items())
    parts = [fill(f"State: {run.state}.", 120), f"`{run.command}`", f"{files}.", *run.notes]
    if len(run.files) > 1:
        parts += ["### All languages", by_setting(verdicts)]
    for language in run.files:
        every = {run: [each for each in group if each.case.language == language] for run, group in verdicts.items()}
        asked = {run: group for run, group in every.items() if group}
        parts += [f"### {language}", by_variant(asked), by_setting(asked)]
        parts += [numbered_cost(asked), wrong_answers(asked, most)]
    return "\n\n".join(parts)
