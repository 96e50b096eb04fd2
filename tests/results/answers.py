"""Hand-made answers with all fields that an answer may have, also with hostile names and contents."""

from __future__ import annotations

import dataclasses
from datetime import date

from wherefrom.model import KeyKind, Occurrence, Package, RepositoryRecord, Representation, Rule, SkipReason, Strength
from wherefrom.posts.post import CodeBlock, Post, PostBlock
from wherefrom.posts.search import PostAnswer
from wherefrom.projects.check.findings import Acceptance, BaselineEntry, CheckReport, Finding, MatchedLocation
from wherefrom.projects.trace import TracedSpan, TraceResult
from wherefrom.results import (
    Age,
    Appearance,
    Attribution,
    ContentMatch,
    CopyEvidence,
    DecidedBy,
    Doubt,
    Evidence,
    Explanation,
    FirstPlace,
    FirstResult,
    FittingRelease,
    Hit,
    Lines,
    QueryInfo,
    Refused,
    Region,
    RegionPair,
    ReleasesResult,
    Remainder,
    SearchResult,
    SourceDocument,
    SourcesResult,
    TermExplanation,
    Verdict,
    Where,
)
from wherefrom.results.projects import (
    Certainty,
    FixedChange,
    FixedFunction,
    FixedLocation,
    FixedPlace,
    FixedReport,
    Form,
)

BLOB, OTHER = "a" * 40, "b" * 40

QUERY = b"""def parse(line):
\tparts = line.split(',')
\tout = []
\tfor p in parts:
\t\tout.append(p.strip())
\treturn out


def main():
    x = 1
    print(parse("a,b"))
    return 0
"""

DOCUMENT = b"# header\n" + QUERY.replace(b"parts", b"fields").replace(
    b"x = 1", b"".join(b"z%d = %d\n    " % (at, at) for at in range(12))
)

FILE = b"""def one(x):
    return x

def two(y):
\treturn y\x1b[2J
three = 3
"""

HINT = Evidence(Where.ELSEWHERE, "url", "https://x.org/a", "see https://x.org/a\x1b", "docs/<i>README.md", 7)
EVIDENCE = Evidence(Where.MATCH, "url", "https://x.org/a", "# from https://x.org/a\x1b", "src/near.py", 3)


def region(text: bytes, first: bytes, last: bytes) -> Region:
    """The region from the first occurrence of `first` to the end of the first `last` after it."""
    start = text.index(first)
    end = text.index(last, start) + len(last)
    return Region(start, end, text.count(b"\n", 0, start) + 1, text.count(b"\n", 0, end - 1) + 1)


def pair(first: bytes, last: bytes, tokens: int, representation: Representation) -> RegionPair:
    """A region that `QUERY` and `DOCUMENT` have in common."""
    return RegionPair(region(QUERY, first, last), region(DOCUMENT, first, last), tokens, representation)


PAIRS = (
    pair(b"line.split", b"out.append", 20, Representation.EXACT),
    dataclasses.replace(pair(b"print(", b"return 0", 11, Representation.RENAMED), changed=2),
)


FOUND = CopyEvidence(
    bits=184.25,
    needed=92.5,
    tokens=68,
    rarity=4.75,
    in_order=58,
    same_names=21,
    other_names=3,
    same_literals=2,
    other_literals=1,
    projects=122,
)

LACKING = dataclasses.replace(FOUND, bits=78.5, in_order=31, same_names=9, other_names=2)


def search_result() -> SearchResult:
    """Two hits for `QUERY`, the first with an explanation; the best blob of the first hit is `DOCUMENT`."""
    explanation = Explanation(
        score=41.3,
        probability=0.970688,
        evidence=FOUND,
        threshold=None,
        first_stage=35.0,
        blobs={Representation.EXACT: 1000, Representation.RENAMED: 990},
        chains=(),
        terms=(
            TermExplanation(Representation.EXACT, 0xDEADBEEF, 300, 1.25),
            TermExplanation(Representation.RENAMED, 2**64 - 1, 3, 5.5),
        ),
    )
    hit = Hit(
        contents=(
            ContentMatch(BLOB, 41.3, 91.17, 0.925, 58, PAIRS, Strength.STRONG, 0.971),
            ContentMatch(OTHER, 30.5, 64.7, 0.6, 20, PAIRS[:1], Strength.FAIR, 0.8),
        ),
        language="python",
        occurrences=(
            Occurrence("github.com/x/y", "src/near.py", OTHER, "r1"),
            Occurrence("github.com/x/y", "src/best.py", BLOB, "r1"),
            *(Occurrence("github.com/x/z", f"lib/{at:02}.py", BLOB, "r2") for at in range(11)),
        ),
        explanation=explanation,
    )
    plain = dataclasses.replace(
        hit,
        contents=(ContentMatch(OTHER, 7.5, 20.0, 0.2, 58, PAIRS, Strength.WEAK, 0.5999),),
        occurrences=hit.occurrences[:1],
        explanation=None,
    )
    return SearchResult(
        engine="embedded",
        schemes={Representation.EXACT: "e1", Representation.RENAMED: "r1", Representation.TEXT: "t1"},
        query=QueryInfo("snip.py", "python", 80, 12, 16, 23, {"boilerplate": 12, "max_df": 0}, 46),
        total=3,
        truncated=True,
        took_ms=4.25,
        hits=(hit, plain),
        explained_tokens=31,
        explained=91.17,
    )


def with_regions(hit: Hit, regions: tuple[RegionPair, ...]) -> Hit:
    """The hit with these regions in its best content."""
    best, *others = hit.contents
    return dataclasses.replace(hit, contents=(dataclasses.replace(best, regions=regions), *others))


def refused(evidence: CopyEvidence = LACKING) -> Refused:
    """The candidate that came nearest to a hit: a file at two locations with hostile paths."""
    return Refused(
        blob=BLOB,
        language="python",
        occurrences=(
            Occurrence("github.com/x/y", "src/<b>near\x1b.py", BLOB, "r1"),
            Occurrence("github.com/x/z", "lib/near.py", BLOB, "r2"),
        ),
        regions=PAIRS[:1],
        probability=0.3189,
        evidence=evidence,
    )


def nothing_found(nearest: Refused | None = None) -> SearchResult:
    """An answer without hits for `QUERY`."""
    return dataclasses.replace(
        search_result(), hits=(), total=0, truncated=False, explained_tokens=0, refused=nearest or refused()
    )


def attributed(result: SearchResult) -> SearchResult:
    """The answer for a given source: one location credits the source, the others do not."""
    attributions = (
        Attribution(Verdict.UNATTRIBUTED, licenses=("MIT",), decided_by=DecidedBy.HINT, hints=(HINT,)),
        Attribution(Verdict.ATTRIBUTED, (EVIDENCE,), ("MIT",), "2020-01-02", is_older=False),
    )
    hits = tuple(
        dataclasses.replace(hit, attributions=(attributions * len(hit.occurrences))[: len(hit.occurrences)])
        for hit in result.hits
    )
    return dataclasses.replace(result, hits=hits)


BEGUN = Appearance("1" * 40, "2017-11-20", "2017-11-20", "v1.0\x1b")
"""The appearance of code, with a hostile tag."""

REWRITTEN = Appearance("2" * 40, "2019-03-02", "2018-01-01", "v1.2", is_merge=True, brought_by="3" * 40)

DOUBTFUL = Appearance("4" * 40, "2016-05-06", "2016-05-06", doubts=(Doubt.IMPORT, Doubt.VENDORED))


def aged(result: SearchResult) -> SearchResult:
    """The answer of an index with history: the second place is older than the first one, the others are not known."""
    ages = (Age(REWRITTEN, REWRITTEN), Age(DOUBTFUL, REWRITTEN))
    hits = (
        dataclasses.replace(hit, ages=(*ages, *[None] * len(hit.occurrences))[: len(hit.occurrences)])
        for hit in result.hits
    )
    return dataclasses.replace(result, hits=tuple(hits))


def first_result() -> FirstResult:
    """The oldest place is gone, the next one was changed, of the last one no age is known."""
    record = RepositoryRecord("github.com/x/y", "/clone", "git", "r1", "", 1, 1, {}, "", key_kind=KeyKind.REMOTE)
    regions = tuple(pair.document for pair in PAIRS)
    gone = FirstPlace(
        Occurrence("github.com/x/y", "src/<b>old\x1b.py", "", "1" * 40),
        record,
        Age(BEGUN, BEGUN),
        is_gone=True,
        match=64.7,
        probability=0.97,
        matched_regions=regions[:1],
    )
    changed = dataclasses.replace(
        gone,
        occurrence=Occurrence("github.com/x/z", "lib/a.py", BLOB, "r1"),
        record=None,
        age=Age(REWRITTEN, dataclasses.replace(BEGUN, commit="5" * 40, day="2020-02-03", tag=None)),
        is_gone=False,
        match=100.0,
        matched_regions=regions,
    )
    unknown = dataclasses.replace(changed, occurrence=Occurrence("host/b", "b.py", OTHER, "r1"), age=None)
    return FirstResult(
        query=search_result().query,
        places=(gone, changed, unknown),
        total=5,
        took_ms=4.25,
        warnings=("the history of 1 of 3 places is not known",),
        repositories={record.key: record},
    )


def releases_result() -> ReleasesResult:
    """A folder: the first release of a package with a change of each kind, and a tag of a clone."""
    package = RepositoryRecord(
        "pkg:npm/x@1.0", "/cache", "package", "d" * 64, "", 1, 1, {}, "", key_kind=KeyKind.PACKAGE, package=Package()
    )
    clone = RepositoryRecord("github.com/x/y", "/clone", "git", "r1", "", 1, 1, {}, "", key_kind=KeyKind.REMOTE)
    nearest = FittingRelease(
        Occurrence(package.key, "lib", "", package.revision),
        package,
        "1.0",
        "2020-01-02",
        0.98765,
        2,
        changed=("a.js",),
        added=("<b>\x1b.js",),
        missing=tuple(f"{number}.js" for number in range(12)),
    )
    tag = FittingRelease(Occurrence(clone.key, "", "", "1" * 40), clone, "v1\x1b", "", 0.5, 1)
    return ReleasesResult("vendor", 4, (nearest, tag), 3, 4.25)


def post_answer() -> PostAnswer:
    post = Post("stackoverflow.com", 12, 11, date(2014, 5, 6), "CC-BY-SA-3.0", ("python",), "")
    return PostAnswer(PostBlock(post, CodeBlock(1, QUERY.decode(), ())), attributed(search_result()))


def sources_result() -> SourcesResult:
    """The sources of `FILE`: two documents, one of them with a hostile path."""

    def at(repository: str, path: str, blob: str = BLOB) -> Occurrence:
        return Occurrence(repository, path, blob, "r0")

    def lines(first: int, last: int, there: tuple[int, int]) -> RegionPair:
        return RegionPair(Region(0, 9, first, last), Region(0, 9, *there), 5, Representation.EXACT)

    documents = (
        SourceDocument(
            blob=BLOB,
            language="python",
            occurrences=(at("host/one", "a.py"), *(at(f"host/fork{number}", "a.py") for number in range(5))),
            tokens=10,
            share=0.5,
            lines=(Lines(1, 2), Lines(6, 6)),
            all_tokens=12,
            all_lines=(Lines(1, 4),),
            regions=(lines(1, 2, (41, 42)), lines(6, 6, (43, 43)), lines(4, 4, (7, 7))),
            alternatives=(at("host/else", "b.py", OTHER),),
        ),
        SourceDocument(BLOB, "python", (at("host/two", "x\x1b]0;\n.py"),), 4, 0.2, (), 4, (), (lines(4, 4, (9, 9)),)),
    )
    return SourcesResult(
        engine="memory",
        schemes={representation: str(representation) for representation in Representation},
        query=QueryInfo("mine\x07.py", "python", 20, 7, 16, 23, {"boilerplate": 0, "max_df": 0}),
        documents=documents,
        unexplained=Remainder(3, 0.15, (Lines(4, 4),)),
        masked=Remainder(3, 0.15, (Lines(5, 5),)),
        truncated=True,
        took_ms=1.5,
    )


def trace_result() -> TraceResult:
    """A span that is credited, and one that is not."""
    one = check_report().findings[0]
    spans = (
        TracedSpan(Lines(3, 9), 40, is_credited=True, places=one.places, more=2),
        TracedSpan(Lines(1, 1), 15, False, one.places[1:]),
    )
    return TraceResult("answer.md", "embedded", spans, 3, 12.5)


def check_report() -> CheckReport:
    """Findings in `QUERY`, the project's file `mine.py`: one fails, one is accepted, one is a note."""
    record = RepositoryRecord("github.com/x/y", "/clone", "git", "r1", "", 1, 1, {}, "", key_kind=KeyKind.REMOTE)
    place = MatchedLocation(
        Occurrence("github.com/x/y", "src/<b>.py", BLOB, "r1"), 2, PAIRS, 31, ("MIT",), (EVIDENCE,), record
    )
    unknown = MatchedLocation(Occurrence("host/b", "a\x1b.py", OTHER, "r1"), 1, PAIRS[:1], 20, hints=(HINT,))
    finding = Finding(
        Rule.COPIED_UNATTRIBUTED, "mine.py", region(QUERY, b"line.split", b"return 0"), 31, "f:1", (place, unknown), 3
    )
    return CheckReport(
        project="/home/me/<project>",
        state="the work tree",
        engine="embedded",
        files=3,
        units=7,
        skipped={SkipReason.BINARY: 2},
        own=("github.com/me/project",),
        findings=(
            finding,
            dataclasses.replace(finding, accepted=Acceptance("comment", "mine <too>")),
            dataclasses.replace(finding, rule=Rule.COPIED_ATTRIBUTED, fingerprint="f:2", licenses=("MIT",)),
        ),
        fail_on=(Rule.COPIED_UNATTRIBUTED,),
        stale=(BaselineEntry("gone.py", Rule.COPIED_UNATTRIBUTED, "f:3"),),
        unexplained=(("mine.py", 4),),
        seconds=0.5,
        contents={"mine.py": QUERY},
    )


def fixed_report() -> FixedReport:
    """A report on a commit that changed one function of `QUERY`: one location has the old form, one is unclear."""
    span = region(QUERY, b"line.split", b"return 0")
    old = FixedLocation(
        blob=BLOB,
        language="python",
        occurrences=(Occurrence("github.com/x/y", "src/<b>.py", BLOB, "r1"),),
        form=Form.OLD,
        certainty=Certainty.SURE,
        score=-1.0,
        held_old=1.0,
        held_new=None,
        match=97.5,
        places=(FixedPlace(0, PAIRS[0].document, -1.0),),
    )
    unclear = dataclasses.replace(
        old,
        blob=OTHER,
        occurrences=(Occurrence("host/b", "a\x1b.py", OTHER, "r1"),),
        form=Form.UNCLEAR,
        certainty=None,
        score=0.0,
    )
    function = FixedFunction(
        path="mine.py",
        old_path="mine.py",
        name="def <name>():",
        is_function=True,
        language="python",
        old=span,
        new=span,
        changes=(FixedChange(span, span), FixedChange(None, span)),
        locations=(old, unclear),
    )
    return FixedReport(
        project="/home/me/<project>",
        change="commit 1a2b3c4d5e6f",
        commit="1a2b3c4d5e6f",
        engine="embedded",
        functions=(function,),
        tests=1,
        skipped={SkipReason.BINARY: 2},
        own=("github.com/me/project",),
        seconds=0.5,
        before={"mine.py": QUERY},
        after={"mine.py": QUERY},
    )


def by_terms(result: SearchResult) -> SearchResult:
    """An answer whose hits are by fingerprints alone, so their regions have lines only."""
    regions = (RegionPair(Region(0, 0, 1, 8), Region(0, 0, 3, 25), 0, Representation.RENAMED),)
    hits = [
        dataclasses.replace(
            hit,
            by_terms=True,
            contents=tuple(dataclasses.replace(content, longest_run=0, regions=regions) for content in hit.contents),
        )
        for hit in result.hits
    ]
    return dataclasses.replace(result, hits=tuple(hits))
