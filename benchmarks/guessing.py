"""How often the language of a fragment is guessed right. With `--learn` or `--add`, learns the marks that identify it.

Fragments are cut from the files of git clones; the file name tells the language. Learning first uses half of the
repositories of each language and measures on the other half. Then it learns from all of them and writes that table,
which must be measured on other clones. `--learn` learns every language again. `--add` learns the weights of the table's
marks for a few more languages, and does not change the weights for the others.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.files import SEED
from benchmarks.fragments import Fragment, collected, halves
from benchmarks.timing import Target, finish, percentile, table
from wherefrom.analyzers.guessing import MarkWeights, guess_snippet, marks, pieces, words
from wherefrom.languages import LANGUAGES, get_installed
from wherefrom.languages import learned as learned_marks

FAMILIES = {"typescript": "javascript", "tsx": "javascript", "cpp": "c", "objc": "c"}
"""Languages whose fragments are often also valid in another language, with nearly the same tokens."""

TARGETED = ("python", "java", "javascript", "typescript", "c", "cpp", "go", "rust", "ruby", "php")
LEAST_RIGHT = 0.99
MOST_MILLISECONDS = 15

MARKS = 2000
_LEAST_REPOSITORIES = 6
_LEAST_TEXTS = 30
_LAPS, _BATCH, _STEP, _SLOWER, _DROPPED = 6, 256, 0.02, 0.75, 0.5
_SHORT_LINES = 5
_WORTH_OF_SHORT = 0.3
_COMMENT_PIECES = frozenset(("^", "$", "//", "#", "--", "/*", "(*", "{-", "<!--"))
_RESTYLED = (("xX", "x_x"), ("x_x", "xX"), None)
_TABLE = Path(learned_marks.__file__).parent / "data" / "marks.txt"


@dataclass(frozen=True, slots=True)
class Example:
    """A text to learn from; `worth` is its weight."""

    text: str
    language: str
    repository: str
    worth: float


def examples(found: Mapping[str, Sequence[Fragment]], chance: random.Random) -> list[Example]:
    """Every fragment, and in addition a few lines of each."""
    result = []
    for repository, fragments in found.items():
        for each in fragments:
            lines = each.code.splitlines(keepends=True)
            number = chance.randint(1, _SHORT_LINES)
            start = chance.randrange(max(1, len(lines) - number))
            short = "".join(lines[start : start + number])
            result.append(Example(each.code, each.language, repository, 1.0))
            result.append(Example(short, each.language, repository, _WORTH_OF_SHORT))
    return result


def common_words(found: Sequence[Example]) -> frozenset[str]:
    """Words in too many repositories to identify one of them."""
    owners: dict[str, set[str]] = {}
    for example in found:
        for word in words(piece for line in pieces(example.text) for piece in line):
            owners.setdefault(word, set()).add(example.repository)
    return frozenset(word for word, repositories in owners.items() if len(repositories) >= _LEAST_REPOSITORIES)


def restyled(counted: Counter[str], chance: random.Random) -> Counter[str]:
    """The marks as if the author wrote names in another style, because a style does not indicate a language."""
    change = chance.choice(_RESTYLED)
    if change is None:
        return counted
    result: Counter[str] = Counter()
    for mark, count in counted.items():
        result[" ".join(piece.replace(*change) for piece in mark.split(" "))] += count
    return result


def common_marks(rows: Sequence[Counter[str]], found: Sequence[Example]) -> list[str]:
    """The marks that are in enough texts, and in more than one repository."""
    counts: Counter[str] = Counter()
    owners: dict[str, set[str]] = {}
    for row, example in zip(rows, found, strict=True):
        counts.update(row.keys())
        for mark in row:
            owners.setdefault(mark, set()).add(example.repository)
    return sorted(
        mark for mark, count in counts.items() if count >= _LEAST_TEXTS and len(owners[mark]) > 1 and mark.isascii()
    )


def matrix(rows: Sequence[Counter[str]], chosen: Sequence[str]) -> NDArray[np.uint8]:
    """How often each chosen mark occurs in each text."""
    columns = {mark: column for column, mark in enumerate(chosen)}
    counted = np.zeros((len(rows), len(chosen)), np.uint8)
    for number, row in enumerate(rows):
        for mark, count in row.items():
            column = columns.get(mark)
            if column is not None:
                counted[number, column] = min(count, learned_marks.MOST)
    return counted


def fitted(
    counted: NDArray[np.uint8],
    languages: NDArray[np.int64],
    worth: NDArray[np.float32],
    number: int,
    held: NDArray[np.float32] | None = None,
) -> NDArray[np.float32]:
    """Multinomial logistic regression on the roots of the counts, with dropout; Adam.

    Args:
        counted: how often each mark occurs in each text.
        languages: the column of each text's language.
        worth: the weight of each text.
        number: how many languages there are.
        held: the weights of the first languages, which do not change.

    Returns:
        Weights of shape (marks, languages).
    """
    generator = np.random.default_rng(SEED)
    roots = np.sqrt(np.arange(learned_marks.MOST + 1, dtype=np.float32))
    weights, mean, square = (np.zeros((counted.shape[1], number), np.float32) for _ in range(3))
    first = 0 if held is None else held.shape[1]
    if held is not None:
        weights[:, :first] = held
    step = 0
    for lap in range(_LAPS):
        order = generator.permutation(len(languages))
        for begin in range(0, len(order), _BATCH):
            step += 1
            batch = order[begin : begin + _BATCH]
            values = roots[counted[batch]]
            values *= (generator.random(values.shape, np.float32) > _DROPPED) / np.float32(1 - _DROPPED)
            odds = values @ weights
            odds = np.exp(odds - odds.max(1, keepdims=True))
            odds /= odds.sum(1, keepdims=True)
            odds[np.arange(len(batch)), languages[batch]] -= 1
            slope = values.T @ (odds * worth[batch, None]) / len(batch)
            slope[:, :first] = 0
            mean = 0.9 * mean + 0.1 * slope
            square = 0.99 * square + 0.01 * slope * slope
            rate = _STEP * _SLOWER**lap / (1 - 0.9**step)
            weights -= rate * mean / (np.sqrt(square / (1 - 0.99**step)) + 1e-3)
    return weights


def learned(found: Mapping[str, Sequence[Fragment]], seed: int) -> MarkWeights:
    """The weights of the chosen marks for each language."""
    chance = random.Random(seed)
    texts = examples(found, chance)
    names = [name for name in LANGUAGES if any(example.language == name for example in texts)]
    languages, worth = columns_and_worth(texts, names)
    known = common_words(texts)
    rows = [restyled(marks(example.text, known), chance) for example in texts]
    candidates = common_marks(rows, texts)
    counted = matrix(rows, candidates)
    weights = fitted(counted, languages, worth, len(names))
    spread = np.sqrt(counted).std(0, dtype=np.float32)
    telling = np.abs(weights - weights.mean(1, keepdims=True)).max(1) * spread
    chosen = sorted(candidates[index] for index in np.argsort(-telling)[:MARKS])
    known = words(chosen)  # a guess knows only the words of the table
    rows = [restyled(marks(example.text, known), chance) for example in texts]
    weights = fitted(matrix(rows, chosen), languages, worth, len(names))
    rounded = in_letters(weights).tolist()
    return MarkWeights.of(names, {mark: tuple(row) for mark, row in zip(chosen, rounded, strict=True) if any(row)})


def with_added(found: Mapping[str, Sequence[Fragment]], added: Sequence[str], seed: int) -> MarkWeights:
    """The table with weights for the languages `added`, which become the last columns.

    Languages that the table has already are learned again.
    """
    table = MarkWeights.of(*learned_marks.loads(learned_marks.read()))
    kept = [name for name in table.languages if name not in added]
    names = [*kept, *added]
    chance = random.Random(seed)
    texts = [example for example in examples(found, chance) if example.language in names]
    missing = set(added) - {example.language for example in texts}
    if missing:
        raise SystemExit(f"no fragments in {', '.join(sorted(missing))}; give a folder with clones in it")
    rows = [restyled(marks(example.text, words(table.rows)), chance) for example in texts]
    held = np.array([[row[table.languages.index(name)] for name in kept] for row in table.rows.values()], np.float32)
    languages, worth = columns_and_worth(texts, names)
    counted = matrix(rows, list(table.rows))
    held /= learned_marks.SCALE
    weights = fitted(counted, languages, worth, len(names), held)
    # A text that has only comments keeps its language: fragments cannot show a better one.
    of_comments = [number for number, mark in enumerate(table.rows) if set(mark.split(" ")) <= _COMMENT_PIECES]
    known = weights[of_comments, : len(kept)].max(1, keepdims=True) - 1 / learned_marks.SCALE
    weights[of_comments, len(kept) :] = np.minimum(weights[of_comments, len(kept) :], known)
    rounded = in_letters(weights).tolist()
    return MarkWeights.of(names, {mark: tuple(row) for mark, row in zip(table.rows, rounded, strict=True)})


def columns_and_worth(texts: Sequence[Example], names: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """The index in `names` of each text's language, and the text's weight: texts of rare languages weigh more."""
    languages = np.array([names.index(example.language) for example in texts])
    worth = np.array([example.worth for example in texts], np.float32)
    share = np.bincount(languages, worth)
    return languages, worth * np.sqrt(share.mean() / share[languages]).astype(np.float32)


def in_letters(weights: NDArray[np.float32]) -> NDArray[np.int64]:
    """The weights as integers, as the table stores them."""
    bound = learned_marks.STRONGEST
    return np.clip(np.rint(weights * learned_marks.SCALE), -bound, bound).astype(np.int64)


def write(weights: MarkWeights) -> None:
    """Writes the table into its file, and keeps the comment at the top of the file."""
    comment = "".join(f"{line}\n" for line in learned_marks.read().splitlines() if line.startswith("# "))
    _TABLE.write_text(learned_marks.dumps((weights.languages, weights.rows), comment), encoding="ascii")


def likeliest(found: Mapping[str, float]) -> str:
    return max(found, key=found.__getitem__)


def family(language: str) -> str:
    return FAMILIES.get(language, language)


def measured(fragments: Sequence[Fragment], guesses: Sequence[str]) -> dict[str, float]:
    """Prints how many guesses are right, by language; returns the shares among fragments of 10 lines and more."""
    rows, shares = [], {}
    confused: Counter[str] = Counter()
    for language in (*sorted({each.language for each in fragments}), "all"):
        own = [
            (each, guess) for each, guess in zip(fragments, guesses, strict=True) if language in (each.language, "all")
        ]
        long = [(each, guess) for each, guess in own if each.lines >= 10]
        exact = sum(each.language == guess for each, guess in own)
        right = [family(each.language) == family(guess) for each, guess in own]
        right_long = [family(each.language) == family(guess) for each, guess in long]
        shares[language] = sum(right_long) / max(len(long), 1)
        if language != "all":
            confused.update(f"{language} as {guess}" for (_, guess), good in zip(own, right, strict=True) if not good)
        figures = (exact / len(own), sum(right) / len(own), shares[language])
        rows.append((language, str(len(own)), *(f"{figure:.3f}" for figure in figures), str(len(long))))
    print(table(("language", "fragments", "exact", "right", "right, 10 lines and more", "of these"), rows))
    print("\nMost confused: " + ", ".join(f"{what} {count}" for what, count in confused.most_common(12)) + ".")
    return shares


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.guessing", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, help="with git clones in them")
    parser.add_argument("--files", type=int, default=200, help="of a language from each clone (default: %(default)d)")
    parser.add_argument("--most", type=int, default=8000, help="fragments that are guessed (default: %(default)d)")
    parser.add_argument("--seed", type=int, default=SEED, help="of every choice (default: %(default)d)")
    parser.add_argument("--learn", action="store_true", help="learn the table again and write it")
    parser.add_argument(
        "--add", action="append", default=[], choices=LANGUAGES, metavar="LANGUAGE", help="add one to the table"
    )
    options = parser.parse_args()
    for name in options.add:
        get_installed(name)  # without this, its files would count as text
    found = collected(options.folders, options.files, options.seed)
    if options.learn or options.add:

        def table_of(part: Mapping[str, Sequence[Fragment]]) -> MarkWeights:
            return learned(part, options.seed) if options.learn else with_added(part, options.add, options.seed)

        half, rest = halves(found)
        weights = table_of(half)
        measure = [each for fragments in rest.values() for each in fragments]
        sample = random.Random(options.seed).sample(measure, min(options.most, len(measure)))
        print("Learned from half of the repositories of each language, measured on the others:\n")
        measured(sample, [likeliest(weights.scores(each.code)) for each in sample])
        write(table_of(found))
        return
    every = [each for fragments in found.values() for each in fragments]
    sample = random.Random(options.seed).sample(every, min(options.most, len(every)))
    guesses, seconds = [], []
    for each in sample:
        begin = time.process_time()
        guesses.append(guess_snippet(each.code.encode()))
        seconds.append(time.process_time() - begin)
    shares = measured(sample, guesses)
    targets = [
        Target(f"{name}, 10 lines and more", shares[name], LEAST_RIGHT, at_least=True)
        for name in TARGETED
        if name in shares
    ]
    finish([*targets, Target("a guess, p95", percentile(seconds, 0.95) * 1000, MOST_MILLISECONDS, unit=" ms")])


if __name__ == "__main__":
    main()
