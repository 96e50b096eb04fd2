"""The answer of a comparison: the code that submissions share with each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Literal

from wherefrom.model import Occurrence, RepositoryRecord, Representation
from wherefrom.results.attribution import Evidence
from wherefrom.results.indexing import RepositoryReport, SkippedFile
from wherefrom.results.locations import Texts
from wherefrom.results.projects import CorpusMap, VendoredFolder
from wherefrom.results.regions import Region
from wherefrom.support.contract import JsonDocument, JsonObject
from wherefrom.support.printable import visible
from wherefrom.support.values import dataclass, field

BINS = 20  # the number of bins in the histogram of similarity, each 5 percent wide


class Role(StrEnum):
    """The role of a submission. It decides what the submission is compared with."""

    SUBMISSION = "submission"
    """A submission that is compared with all submissions of other authors, and with the archive."""
    ARCHIVE = "archive"
    """Earlier work, which is compared with submissions but not with other earlier work."""
    WITH = "with"
    """A part of the second corpus (`--with`). All other submissions are compared only with the second corpus."""


class CutOff(StrEnum):
    """Why terms or pairs were left out. `Comparison.cut_off` has their number for each cause."""

    COMMON_TERMS = "common-terms"
    """Terms in more than `max_share` of the submissions. Sharing them does not make files a pair to compare."""
    TERMS_BEYOND_BUDGET = "terms-beyond-budget"
    """The most common of the other terms. They were not used to find pairs, to limit the work."""
    LIGHT_PAIRS = "light-pairs"
    """Pairs of files whose shared terms have too little weight for a comparison token by token."""
    PAIRS_BEYOND_BUDGET = "pairs-beyond-budget"
    """Pairs of files that were not compared token by token due to the limit on their number."""
    SHORT_PAIRS = "short-pairs"
    """Compared pairs of files without a shared region of sufficient length."""
    UNLIKELY_PAIRS = "unlikely-pairs"
    """Pairs of submissions that share too little code, or only code that many submissions have or everyone writes."""
    PAIRS_BEYOND_LIMIT = "pairs-beyond-limit"
    """Pairs of submissions that were found but exceed the limit of `pairs`."""
    SHARED_AUTHOR = "shared-author"
    """Pairs of submissions by one author, which are not compared."""


@dataclass(frozen=True, slots=True)
class CompareParameters(JsonObject):
    """The sources and options of a comparison.

    Attributes:
        paths: the compared sources, as the caller named them.
        archive: the sources of the archive.
        with_sources: the sources of the second corpus.
        template: the sources of template code.
        without: names and patterns of boilerplate sets that were left out.
        by: the unit of a submission: `file`, `folder` or `repository`.
        author_of: a regular expression for a submission's name. Its first group, or whole match, is the author. None if
            every submission has a different author.
        max_share: terms in more than this share of the submissions (0 to 1) are too common to find pairs.
        min_tokens: the least number of tokens in a region.
        min_containment: in each pair at least one side shares this much of its tokens with the other side, 0 to 1.
        min_probability: in each pair one file is at least so probably a copy from one of the other side, 0 to 1.
        cluster_similarity: pairs of at least this similarity (0 to 1) are in one cluster.
        limit: the highest number of pairs in the answer.
        index: the location of the index whose repositories were compared; None if paths were compared.
    """

    JSON = (
        "paths archive with=with_sources template without by author_of max_share min_tokens min_containment "
        "min_probability cluster_similarity limit index"
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
    min_probability: float = 0.0
    cluster_similarity: float = 0.0
    limit: int = 0
    index: str | None = None


@dataclass(frozen=True, slots=True)
class CompareCounts(JsonObject):
    """Counts of a comparison.

    Attributes:
        submissions: all submissions, including the archive and the second corpus.
        files: files of these submissions.
        tokens: tokens in these files.
        boilerplate_tokens: tokens in template code or a boilerplate set.
        size: bytes of these files.
        possible_pairs: pairs of submissions that the roles and authors allow.
        sharing_pairs: pairs of files that share a term.
        compared_pairs: pairs of files that were compared token by token.
        found_pairs: similar pairs of submissions without dismissed ones, including those beyond the limit.
        dismissed_pairs: similar pairs that a reader dismissed. All of them are in the answer.
        histogram: found pairs by similarity, in `BINS` bins of equal width. The last bin includes 1.
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
        language: the language of the whole content.
        size: the number of bytes.
        tokens: the number of tokens.
        boilerplate_tokens: the number of tokens in `boilerplate`.
        boilerplate: the regions of template code and of boilerplate sets, in order, without overlaps. Their tokens do
            not count as matches.
        statements: the lines that name URLs, authors or licenses. Empty for files that are in none of the `pairs`.
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
        """The number of tokens without boilerplate. A containment is a share of this number."""
        return self.tokens - self.boilerplate_tokens


@dataclass(frozen=True, slots=True)
class Submission(JsonObject):
    """A file, folder or repository that is compared with others.

    Attributes:
        name: unique among the submissions: the path of a file or folder, or the key of a repository.
        role: decides what the submission is compared with.
        author: the author that `author_of` finds in the name; None if no author is found.
        files: the positions of its files in `Comparison.files`, by path.
        tokens: tokens of all its files.
        boilerplate_tokens: tokens of boilerplate in these files, which do not count as matches.
        best_pair: the position in `Comparison.pairs` of its most similar pair; None without pairs.
        best_similarity: the similarity of its most similar pair; 0 without pairs.
        cluster: the position of its cluster in `Comparison.clusters`; None without a cluster.
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
    """A region of a file and a region of another that matches it token by token.

    Attributes:
        left, right: the two regions: bytes and lines, with their `gaps`.
        left_span, right_span: the two regions in token positions, 0-based and half-open; both have the same length,
            except for code in another language.
        representation: the strictest representation whose tokens all match: `exact` (the same tokens), `renamed`
            (except local names and literals), `p_match` (except consistently renamed names), `text` (the same letters);
            `words` in another language, where only the words of names match.
        weight: the summed weight of the region's terms, at least 0, or the bits of its words. Rarer ones weigh more.
        rarity: 1 if only the two submissions of the pair have the region's terms; near 0 if all submissions have them.
        submissions: how many submissions have this region, including the pair: an estimate from the mean weight of the
            region's terms. 0 if the region is too short to have terms, or in another language, as `rarity` is then.
        is_moved: False for the longest series of regions (by tokens) in the same order on both sides; True for the
            other regions.
        facing: pairs of lines (left, right), 1-based, to show side by side: one for each token that begins a line on
            either side. It is not written as JSON.
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
        """The tokens of each side; those of the left one for code in another language."""
        return self.left_span[1] - self.left_span[0]


@dataclass(frozen=True, slots=True)
class FilePair(JsonObject):
    """The code that two files of different submissions share, by their positions in `Comparison.files`.

    Attributes:
        is_identical: whether the two files have the same bytes.
        left_containment, right_containment: the share of the file's remaining tokens in the regions, 0 to 1.
        regions: the matches, in the order of the left file, without overlaps on either side.
        omitted_regions: the number of further matches, which weigh less than those in `regions`.
    """

    JSON = "left right is_identical is_translated left_containment right_containment omitted_regions regions"

    left: int
    right: int
    is_identical: bool
    left_containment: float
    right_containment: float
    regions: tuple[MatchedRegion, ...]
    omitted_regions: int = 0

    @property
    def matched_tokens(self) -> int:
        """The tokens of all regions."""
        return sum(region.tokens for region in self.regions)

    @property
    def is_translated(self) -> bool:
        """Whether the files are in different languages, so that only their words match."""
        return any(region.representation is Representation.WORDS for region in self.regions)


class ReviewState(StrEnum):
    """A reader's decision about a pair."""

    PENDING = "pending"
    """There is no decision yet."""
    RELEVANT = "relevant"
    """The reader wants to look into the pair."""
    DISMISSED = "dismissed"
    """The reader is not interested in the pair. It no longer counts as found."""


@dataclass(frozen=True, slots=True)
class Review(JsonObject):
    """A reader's decision about a pair, and its reason in `note`, which may be empty."""

    state: ReviewState
    note: str = ""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class SubmissionPair(JsonObject):
    """Two submissions that share code.

    Attributes:
        id: 12 hexadecimal digits that depend only on the names of the two submissions.
        left, right: the positions of the submissions in `Comparison.submissions`. A submission of an archive or a
            second corpus is `right`; in other pairs the submission with the greater position is `right`.
        score: the score that ranks pairs.
        similarity: the mean of both sides' matched tokens, divided by the remaining tokens of the larger side.
        probability: how probable it is that a file of one side is a copy from one of the other side, by the rule of a
            search, 0 to 1.
        left_containment: the share of the left submission's remaining tokens that matches, 0 to 1.
        right_containment: the same for the right submission.
        resemblance: the matched tokens of both sides divided by the remaining tokens of both, 0 to 1.
        longest_run: the number of tokens of the longest region.
        left_matched_tokens, right_matched_tokens: the number of tokens in the regions, each counted once.
        left_matched_lines, right_matched_lines: the number of lines with these tokens.
        left_boilerplate_tokens, right_boilerplate_tokens: the number of tokens that count nowhere: template code,
            boilerplate sets, and code that too many submissions have (`max_share`).
        files: the pairs of files with their regions, the heaviest first; then those in different languages, which the
            figures count only if there are no others.
        omitted_files: the number of further pairs of files, which weigh less than those in `files`.
        review: a reader's decision; None if it is not known.
    """

    id: str
    left: int
    right: int
    score: float
    similarity: float
    probability: float
    left_containment: float
    right_containment: float
    resemblance: float
    longest_run: int
    left_matched_tokens: int
    right_matched_tokens: int
    left_matched_lines: int
    right_matched_lines: int
    left_boilerplate_tokens: int = 0
    right_boilerplate_tokens: int = 0
    omitted_files: int = 0
    review: Review | None = None
    files: tuple[FilePair, ...]

    @property
    def is_dismissed(self) -> bool:
        """True if a reader dismissed the pair. The pair is in the answer but does not count as found."""
        return self.review is not None and self.review.state is ReviewState.DISMISSED

    @property
    def is_translated(self) -> bool:
        """Whether no file of it is in the same language as its match; else `files` begins with those that are."""
        return any(files.is_translated for files in self.files[:1])

    def __repr__(self) -> str:
        return f"<SubmissionPair {self.left} {self.right} similarity={self.similarity:.2f} files={len(self.files)}>"


@dataclass(frozen=True, slots=True)
class Cluster(JsonObject):
    """Submissions that are linked by pairs with a similarity of at least `cluster_similarity`. A submission without
    such a pair is linked to the one that has nearly all of it.

    Both are positions in the `Comparison`, ascending: of at least two submissions, and of the linking pairs. The
    similarity is the highest of these pairs.
    """

    submissions: tuple[int, ...]
    pairs: tuple[int, ...]
    similarity: float


@dataclass(frozen=True, slots=True)
class CompareProgress:
    """The progress of a comparison. The function `progress` in the options gets it a few times a second. The stages are
    `reading` and analyzing files, `counting` terms, `comparing` pairs of files, and `done`. `done` and `total` count
    files, terms or pairs of the stage; the total is 0 if it is not known yet. The seconds are those since the
    beginning.
    """

    stage: Literal["reading", "counting", "comparing", "done"]
    done: int
    total: int
    seconds: float


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(JsonDocument):
    """The code that submissions share with each other.

    All positions are 0-based, in the tuples `files`, `submissions`, `pairs` and `clusters`.

    Attributes:
        parameters: the sources and options.
        counts: counts of submissions, files, tokens and pairs.
        cut_off: counts of terms and pairs that were left out, by cause.
        failed: sources that could not be read, each with its error.
        skipped: counts of files that were not compared, by reason.
        skipped_files: the files that were not compared.
        files: the compared files, by submission, then path.
        submissions: all submissions, by role, then name.
        pairs: pairs that share code, by `score`, the highest first: at most `limit`, and all dismissed ones. Those that
            share it only in different languages come last.
        clusters: submissions that are linked by pairs in one language, the largest clusters first.
        map: tells for each file of the first corpus where its code is in the second; None without a second corpus.
        vendored: folders that are copies of folders of the second corpus.
        warnings: probable mistakes, one line each.
        repositories: the records of the repositories of all files, by key.
        seconds: the duration.
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

    @property
    def has_nothing_to_compare(self) -> bool:
        """True if there is no pair of submissions with files. Then a warning says what was there."""
        return nothing_to_compare(self.submissions, has_two_sides=bool(self.parameters.with_sources))

    def content(self, file: int) -> bytes | None:
        """The content of the file at a position in `files`, by `texts`. None if it cannot be read."""
        return self.texts.at(self.files[file].occurrence)

    def name(self, submission: int) -> str:
        """The name of the submission at a position in `submissions`."""
        return self.submissions[submission].name

    def __repr__(self) -> str:
        shown = f"submissions={len(self.submissions)} pairs={self.counts.found_pairs}"
        for best in self.pairs[:1]:
            left, right = (visible(self.name(side)) for side in (best.left, best.right))
            shown += f": {int(best.similarity * 100)}% {left} {right}"
        return f"<Comparison {shown}>"


def nothing_to_compare(submissions: Sequence[Submission], *, has_two_sides: bool) -> bool:
    """Whether the submissions with a file make no pair. With two sides, each pair has a file of both."""
    is_own = [submission.role is Role.SUBMISSION for submission in submissions if submission.files]
    return True not in is_own or (False not in is_own and (has_two_sides or len(is_own) < 2))
