"""The answer to what many submissions share with each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from wherefrom.model import Occurrence, RepositoryRecord, Representation
from wherefrom.results.attribution import Evidence
from wherefrom.results.corpora import CorpusMap, VendoredFolder
from wherefrom.results.indexing import RepositoryReport, SkippedFile
from wherefrom.results.regions import Region
from wherefrom.results.texts import Texts
from wherefrom.support.contract import JsonDocument, JsonObject
from wherefrom.support.printable import visible

BINS = 20
"""Bins of the histogram of similarity: each 5 percent wide."""


class Role(StrEnum):
    """What a submission is compared with."""

    SUBMISSION = "submission"
    """Every submission of another author, and the archive."""
    ARCHIVE = "archive"
    """The submissions alone: earlier work is never compared with itself."""
    WITH = "with"
    """The submissions alone: the second corpus of `--with`. Submissions are then not compared with each other."""


class CutOff(StrEnum):
    """What was left out on the way, and is counted."""

    COMMON_TERMS = "common-terms"
    """Terms in more than the stated share of the submissions: they choose no pair."""
    TERMS_BEYOND_BUDGET = "terms-beyond-budget"
    """Common terms that choose no pair because rarer ones already gave as many pairs as are counted."""
    LIGHT_PAIRS = "light-pairs"
    """Pairs of files that share terms of too little weight to be compared token by token."""
    PAIRS_BEYOND_BUDGET = "pairs-beyond-budget"
    """Pairs of files that would have been compared token by token, but for the limit on their number."""
    SHORT_PAIRS = "short-pairs"
    """Pairs of files that were compared and share no region that is long enough."""
    UNLIKELY_PAIRS = "unlikely-pairs"
    """Pairs of submissions that share too little, or only what many have."""
    PAIRS_BEYOND_LIMIT = "pairs-beyond-limit"
    """Pairs of submissions that were found and are not in `pairs`."""
    SHARED_AUTHOR = "shared-author"
    """Pairs of submissions that are not compared, as both are by one author."""


@dataclass(frozen=True, slots=True)
class CompareParameters(JsonObject):
    """What was compared, and how.

    Attributes:
        paths: what was named to be compared, as it was given.
        archive: what was named as the archive.
        with_sources: what was named as the second corpus.
        template: what was named as template code.
        without: names and patterns of the boilerplate sets that were left out.
        by: what one submission is: `file`, `folder` or `repository`.
        author_of: the regular expression whose first group (or whole match) in a submission's name is its author; None
            where every submission has an author of its own.
        max_share: terms in more than this share of the submissions choose no pair, 0 to 1.
        min_tokens: tokens of the shortest region.
        min_containment: pairs of which neither side has this share in the other are not in the answer, 0 to 1.
        cluster_similarity: the similarity from which two submissions are linked to one cluster, 0 to 1.
        limit: the most pairs in the answer.
        index: the location of the index whose repositories were compared; None where paths were.
    """

    JSON = (
        "paths archive with=with_sources template without by author_of max_share min_tokens min_containment "
        "cluster_similarity limit index"
    )

    paths: tuple[str, ...] = ()
    archive: tuple[str, ...] = ()
    with_sources: tuple[str, ...] = ()
    template: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    by: str = "file"
    author_of: str | None = None
    max_share: float = 1.0
    min_tokens: int = 0
    min_containment: float = 0.0
    cluster_similarity: float = 0.0
    limit: int = 0
    index: str | None = None


@dataclass(frozen=True, slots=True)
class CompareCounts(JsonObject):
    """How much was compared.

    Attributes:
        submissions: all of them, those of the archive and of the second corpus included.
        files: in them.
        tokens: in these files, and `boilerplate_tokens` of them lie in template code or a boilerplate set.
        size: bytes of these files.
        possible_pairs: pairs of submissions that the roles and authors allow.
        sharing_pairs: pairs of files that share a term.
        compared_pairs: pairs of files that were compared token by token.
        found_pairs: pairs of submissions that are similar enough and not dismissed, whether or not they are in the
            answer.
        dismissed_pairs: pairs that are similar enough and that a reader dismissed; all of them are in the answer.
        histogram: the number of found pairs by similarity, in `BINS` bins of equal width; the last one includes 1.
    """

    submissions: int
    files: int
    tokens: int
    boilerplate_tokens: int
    size: int
    possible_pairs: int
    sharing_pairs: int
    compared_pairs: int
    found_pairs: int
    dismissed_pairs: int = 0
    histogram: tuple[int, ...] = (0,) * BINS


@dataclass(frozen=True, slots=True)
class ComparedFile(JsonObject):
    """A file of a submission.

    Attributes:
        submission: the position of its submission in `Comparison.submissions`.
        occurrence: its repository, path, revision and blob; `Comparison.texts.at` reads its content.
        language: of the whole content.
        size: bytes.
        tokens: all of them.
        boilerplate_tokens: those that lie in `boilerplate`.
        boilerplate: its stretches of template code and of boilerplate sets, in order, none overlapping another. They
            count for nothing: no region holds a token of them.
        statements: what it says of its source, each with its line: URLs, authors, licenses. Only of files in `pairs`.
    """

    JSON = "submission *occurrence language size tokens boilerplate_tokens boilerplate statements"

    submission: int
    occurrence: Occurrence
    language: str
    size: int
    tokens: int
    boilerplate_tokens: int = 0
    boilerplate: tuple[Region, ...] = ()
    statements: tuple[Evidence, ...] = ()

    @property
    def path(self) -> str:
        """Its path in its repository."""
        return self.occurrence.path

    @property
    def remaining_tokens(self) -> int:
        """The tokens that are not boilerplate: what a containment is a share of."""
        return self.tokens - self.boilerplate_tokens


@dataclass(frozen=True, slots=True)
class Submission(JsonObject):
    """What is compared as one.

    Attributes:
        name: unique among the submissions; of a file or folder its path, of a source its repository key.
        role: what it is compared with.
        author: by `author_of`, None where that names none.
        files: the positions of its files in `Comparison.files`, by path.
        tokens: of all of them.
        boilerplate_tokens: those that count for nothing.
        best_pair: the position in `Comparison.pairs` of the pair of it with the highest similarity, None where it has
            none.
        best_similarity: that of the pair, 0 where there is none.
        cluster: the position of its cluster in `Comparison.clusters`, None where it is in none.
    """

    name: str
    role: Role
    author: str | None
    files: tuple[int, ...]
    tokens: int
    boilerplate_tokens: int = 0
    best_pair: int | None = None
    best_similarity: float = 0.0
    cluster: int | None = None


@dataclass(frozen=True, slots=True)
class MatchedRegion(JsonObject):
    """A stretch of one file and the stretch of another that matches it token by token.

    Attributes:
        left, right: the two stretches: bytes and lines, with their `gaps` where comments may be.
        left_span, right_span: the same in token positions, 0-based and half-open; both are equally long.
        representation: why it matches, the strictest one that holds all along it: `exact` (the same tokens), `renamed`
            (but for local names and literals), `p_match` (but for all names, consistently), `text` (the same letters).
        weight: what it adds to the score of the pair, at least 0: its tokens, the more the rarer they are.
        rarity: how rare its terms are, 0 to 1: 1 where no other submission has any of them, 0 where all have them.
        submissions: about how many submissions have it, by the mean weight of its terms, the two of the pair included;
            0 where it is too short to have one.
        is_moved: whether it comes in another order than the regions before it: left to right, its right side begins
            before that of a heavier one to its left, or the other way round.
        facing: which lines face each other: (left line, right line), 1-based, for each token with which a line begins
            on either side, in their order. For showing both sides; not among the JSON values.
    """

    JSON = "left right left_span right_span tokens representation weight rarity submissions is_moved"

    left: Region
    right: Region
    left_span: tuple[int, int]
    right_span: tuple[int, int]
    representation: Representation
    weight: float
    rarity: float
    submissions: int
    is_moved: bool = False
    facing: tuple[tuple[int, int], ...] = ()

    @property
    def tokens(self) -> int:
        """How many tokens each side has."""
        return self.left_span[1] - self.left_span[0]


@dataclass(frozen=True, slots=True)
class FilePair(JsonObject):
    """What a file of one submission shares with a file of another.

    Attributes:
        left, right: the positions of the files in `Comparison.files`.
        is_identical: whether both have the same bytes.
        left_containment: the share of the left file's remaining tokens in the regions, 0 to 1.
        right_containment: the same of the right file.
        regions: what matches, in the order of the left file; none overlaps another on either side.
        omitted_regions: regions that are left out, the lightest ones.
    """

    JSON = "left right is_identical left_containment right_containment omitted_regions regions"

    left: int
    right: int
    is_identical: bool
    left_containment: float
    right_containment: float
    regions: tuple[MatchedRegion, ...]
    omitted_regions: int = 0

    @property
    def matched_tokens(self) -> int:
        """Tokens of the regions."""
        return sum(region.tokens for region in self.regions)


class ReviewState(StrEnum):
    """What a reader decided about a pair."""

    PENDING = "pending"
    """Nothing yet."""
    RELEVANT = "relevant"
    """It is to be followed up."""
    DISMISSED = "dismissed"
    """It is of no interest: it is not counted any more."""


@dataclass(frozen=True, slots=True)
class Review(JsonObject):
    """What a reader decided about a pair, and why.

    Attributes:
        state: the decision.
        note: the reason, empty where none was given.
    """

    state: ReviewState
    note: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class SubmissionPair(JsonObject):
    """Two submissions that share code.

    Attributes:
        id: names the pair by its two submissions; the same in every comparison that has them: 12 hexadecimal digits.
        left, right: the positions of the submissions in `Comparison.submissions`. With an archive or a second corpus,
            `right` is of that; else `left` is the smaller one.
        score: what the pairs are ranked by.
        similarity: the matched tokens, on average of both sides, by the remaining tokens of the larger one, 0 to 1.
        left_containment: the share of the left submission's remaining tokens that matches, 0 to 1.
        right_containment: the same of the right submission.
        resemblance: the matched tokens of both sides by the remaining tokens of both, 0 to 1.
        longest_run: tokens of the longest region.
        left_matched_tokens, right_matched_tokens: tokens in the regions, each counted once.
        left_matched_lines, right_matched_lines: lines with such a token, each counted once.
        files: the pairs of files with their regions, the heaviest first.
        omitted_files: pairs of files that are left out, the lightest ones.
        review: what a reader decided about the pair, None where that is not known.
    """

    JSON = (
        "id left right score similarity left_containment right_containment resemblance longest_run "
        "left_matched_tokens right_matched_tokens left_matched_lines right_matched_lines omitted_files review "
        "files"
    )

    id: str
    left: int
    right: int
    score: float
    similarity: float
    left_containment: float
    right_containment: float
    resemblance: float
    longest_run: int
    left_matched_tokens: int
    right_matched_tokens: int
    left_matched_lines: int
    right_matched_lines: int
    files: tuple[FilePair, ...]
    omitted_files: int = 0
    review: Review | None = None

    @property
    def is_dismissed(self) -> bool:
        """Whether a reader dismissed the pair: it is in the answer, and counts for nothing in it."""
        return self.review is not None and self.review.state is ReviewState.DISMISSED

    def __repr__(self) -> str:
        return f"<SubmissionPair {self.left} {self.right} similarity={self.similarity:.2f} files={len(self.files)}>"


@dataclass(frozen=True, slots=True)
class Cluster(JsonObject):
    """Submissions that are linked by pairs of at least the parameter `cluster_similarity`.

    Attributes:
        submissions: their positions in `Comparison.submissions`, ascending; at least two.
        pairs: the positions in `Comparison.pairs` of the pairs that link them, ascending.
        similarity: of the strongest of these.
    """

    submissions: tuple[int, ...]
    pairs: tuple[int, ...]
    similarity: float


@dataclass(frozen=True, slots=True)
class CompareProgress:
    """How far a comparison is; given to the caller's `progress` a few times a second.

    Attributes:
        stage: `reading` (files are read and analyzed), `counting` (terms are counted), `comparing` (pairs of files are
            compared token by token) or `done`.
        done: files, terms or pairs of files that were dealt with.
        total: of how many; 0 where that is not known yet.
        seconds: since the beginning.
    """

    stage: Literal["reading", "counting", "comparing", "done"]
    done: int
    total: int
    seconds: float


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(JsonDocument):
    """What submissions share with each other.

    Positions in `files`, `submissions`, `pairs` and `clusters` are 0-based and refer to these tuples.

    Attributes:
        parameters: what was compared, and how.
        counts: how much that was.
        cut_off: what was left out on the way, by cause.
        failed: sources that could not be read, each with its error.
        skipped: how many files were not compared, by reason.
        skipped_files: these files.
        files: all that were compared, by submission, then path.
        submissions: all of them, by role, then name.
        pairs: those that share code, by `score`, the highest first; at most the parameter `limit`, and beside these
            the dismissed ones.
        clusters: submissions that are linked by pairs, the largest clusters first.
        map: which files appear where, for two corpora; else None.
        vendored: folders that are copies of folders of the second corpus; empty without one.
        warnings: what may not be meant, one line each.
        repositories: the record of the repository of every file, by key.
        seconds: it took so long.
        texts: reads the contents, by `ComparedFile.occurrence`.
    """

    JSON = (
        "parameters counts +cut_off failed +skipped skipped_files warnings files submissions pairs clusters map "
        "vendored seconds"
    )

    parameters: CompareParameters
    counts: CompareCounts
    cut_off: Mapping[CutOff, int]
    failed: tuple[RepositoryReport, ...]
    skipped: Mapping[str, int]
    skipped_files: tuple[SkippedFile, ...]
    files: tuple[ComparedFile, ...]
    submissions: tuple[Submission, ...]
    pairs: tuple[SubmissionPair, ...]
    clusters: tuple[Cluster, ...]
    map: CorpusMap | None = None
    vendored: tuple[VendoredFolder, ...] = ()
    warnings: tuple[str, ...] = ()
    repositories: Mapping[str, RepositoryRecord] = field(default_factory=dict)
    seconds: float = 0.0
    texts: Texts = field(default_factory=Texts, compare=False)

    def content(self, file: int) -> bytes | None:
        """The content of a file by its position, None where it cannot be had (any longer).

        Raises:
            WherefromError: the index that has it cannot be read.
        """
        return self.texts.at(self.files[file].occurrence)

    def name(self, submission: int) -> str:
        """The name of a submission by its position."""
        return self.submissions[submission].name

    def __repr__(self) -> str:
        best = _best(self.pairs, self.submissions)
        return f"<Comparison submissions={len(self.submissions)} pairs={self.counts.found_pairs}{best}>"


def _best(pairs: Sequence[SubmissionPair], submissions: Sequence[Submission]) -> str:
    """The first pair in words, nothing where there is none."""
    if not pairs:
        return ""
    left, right = (visible(submissions[side].name) for side in (pairs[0].left, pairs[0].right))
    return f": {int(pairs[0].similarity * 100)}% {left} {right}"
