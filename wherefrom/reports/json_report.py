"""JSON: the output contract of `docs/search-result.schema.json`, and the smaller answers beside it.

The text is ASCII: whatever an indexed path or a snippet's name holds, nothing reaches a terminal raw.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wherefrom.languages import Language
    from wherefrom.model import (
        Attribution,
        BoilerplateSet,
        ChainExplanation,
        CopyReport,
        Explanation,
        Hit,
        IndexReport,
        IndexStats,
        Lines,
        Occurrence,
        QueryInfo,
        Region,
        RegionPair,
        Remainder,
        RepositoryRecord,
        RepositoryReport,
        SearchResult,
        SourceDocument,
        SourcesResult,
        TermExplanation,
    )

FORMAT = 1
"""The version of the output contract: a field may be added, none changes its meaning."""


def dumps(value: object, *, indent: int | None = 2) -> str:
    """A JSON text with a newline at its end; without `indent` it is one line."""
    return json.dumps(value, indent=indent, allow_nan=False) + "\n"


def to_json(result: SearchResult) -> str:
    """The answer to one query, indented."""
    return dumps(to_dict(result))


def to_jsonl(result: SearchResult) -> str:
    """The answer to one query on one line."""
    return dumps(to_dict(result), indent=None)


def to_dict(result: SearchResult) -> dict[str, Any]:
    """The answer to one query as the contract has it."""
    return {
        "format": FORMAT,
        "engine": result.engine,
        "schemes": {str(key): value for key, value in result.schemes.items()},
        "query": _query(result.query),
        "total": result.total,
        "truncated": result.truncated,
        "took_ms": result.took_ms,
        "hits": [_hit(hit) for hit in result.hits],
    }


def _query(query: QueryInfo) -> dict[str, Any]:
    return {
        "name": query.name,
        "language": query.language,
        "tokens": query.tokens,
        "fingerprints": query.fingerprints,
        "window": query.window,
        "guarantee": query.guarantee,
        "excluded": {"boilerplate": 0, "max_df": 0, **query.excluded},
        "too_short": None if query.needed is None else {"needed": query.needed},
    }


def _hit(hit: Hit) -> dict[str, Any]:
    return {
        "score": hit.score,
        "containment": hit.containment,
        "longest_run": hit.longest_run,
        "blob": hit.blob,
        "language": hit.language,
        "occurrences": [
            {**_occurrence(at), "attribution": None if said is None else _attribution(said)}
            for at, said in zip_longest(hit.occurrences, hit.attributions)
        ],
        "regions": [_region_pair(pair) for pair in hit.regions],
        "attribution": None if hit.attribution is None else _attribution(hit.attribution),
        "explanation": None if hit.explanation is None else _explanation(hit.score, hit.explanation),
    }


def _attribution(attribution: Attribution) -> dict[str, Any]:
    return {
        "verdict": str(attribution.verdict),
        "evidence": [
            {
                "kind": each.kind,
                "text": each.text,
                "path": each.path,
                "line": each.line,
                "where": str(each.where),
                "value": each.value,
            }
            for each in attribution.evidence
        ],
        "licenses": list(attribution.licenses),
        "first_seen": attribution.first_seen,
        "is_older": attribution.is_older,
    }


def _occurrence(at: Occurrence) -> dict[str, Any]:
    return {"repository": at.repository, "path": at.path, "revision": at.revision, "blob": at.blob}


def _region_pair(pair: RegionPair) -> dict[str, Any]:
    return {
        "query": _region(pair.query),
        "document": _region(pair.document),
        "tokens": pair.tokens,
        "representation": str(pair.representation),
    }


def _region(region: Region) -> dict[str, int]:
    return {
        "start_byte": region.start_byte,
        "end_byte": region.end_byte,
        "start_line": region.start_line,
        "end_line": region.end_line,
    }


def _explanation(score: float, explanation: Explanation) -> list[dict[str, Any]]:
    """A list of steps, each with its `kind`: one `score`, then the `chain`s, then the `term`s."""
    return [
        {
            "kind": "score",
            "score": score,
            "threshold": explanation.threshold,
            "reason": explanation.reason,
            "first_stage": explanation.first_stage,
            "first_stage_weight": explanation.first_stage_weight,
            "blobs": {str(key): value for key, value in explanation.blobs.items()},
        },
        *map(_chain, explanation.chains),
        *map(_term, explanation.terms),
    ]


def _chain(chain: ChainExplanation) -> dict[str, Any]:
    return {
        "kind": "chain",
        "representation": str(chain.representation),
        "score": chain.score,
        "kgrams": chain.kgrams,
        "coverage": chain.coverage,
        "longest_run": chain.longest_run,
    }


def _term(term: TermExplanation) -> dict[str, Any]:
    return {
        "kind": "term",
        "representation": str(term.representation),
        "term": f"{term.term:016x}",
        "document_frequency": term.document_frequency,
        "idf": term.idf,
    }


def sources_to_dict(result: SourcesResult) -> dict[str, Any]:
    """What a file is made of, as `docs/sources-result.schema.json` has it."""
    return {
        "format": FORMAT,
        "engine": result.engine,
        "schemes": {str(key): value for key, value in result.schemes.items()},
        "query": _query(result.query),
        "documents": [_source_document(each) for each in result.documents],
        "unexplained": _remainder(result.unexplained),
        "masked": _remainder(result.masked),
        "truncated": result.truncated,
        "took_ms": result.took_ms,
    }


def _source_document(document: SourceDocument) -> dict[str, Any]:
    return {
        "blob": document.blob,
        "language": document.language,
        "occurrences": [_occurrence(at) for at in document.occurrences],
        "tokens": document.tokens,
        "share": document.share,
        "lines": _lines(document.lines),
        "all_tokens": document.all_tokens,
        "all_lines": _lines(document.all_lines),
        "regions": [_region_pair(pair) for pair in document.regions],
        "alternatives": [_occurrence(at) for at in document.alternatives],
    }


def _remainder(remainder: Remainder) -> dict[str, Any]:
    return {"tokens": remainder.tokens, "share": remainder.share, "lines": _lines(remainder.lines)}


def _lines(ranges: Iterable[Lines]) -> list[dict[str, int]]:
    return [{"start_line": each.first, "end_line": each.last} for each in ranges]


def _skipped(skipped: Mapping[str, int]) -> dict[str, int]:
    return {str(reason): number for reason, number in sorted(skipped.items())}


def report_to_dict(report: IndexReport) -> dict[str, Any]:
    """An indexing run."""
    return {
        "format": FORMAT,
        "repositories": [_repository_report(repository) for repository in report.repositories],
        "parsed": report.parsed,
        "parsed_bytes": report.parsed_bytes,
        "swept": report.swept,
        "seconds": report.seconds,
        "interrupted": report.interrupted,
        "renewed": report.renewed,
        "without_grammar": dict(sorted(report.without_grammar.items())),
        "warnings": list(report.warnings),
    }


def _repository_report(report: RepositoryReport) -> dict[str, Any]:
    return {
        "repository": report.key,
        "status": report.status,
        "revision": report.revision,
        "files": report.files,
        "parsed": report.parsed,
        "known": report.known,
        "retired": report.retired,
        "skipped": _skipped(report.skipped),
        "error": report.error,
        "renewed": report.renewed,
        "kept": report.kept,
    }


def copy_to_dict(report: CopyReport) -> dict[str, Any]:
    """A copying run."""
    return {"format": FORMAT, **asdict(report)}


def repositories_to_dict(records: Iterable[RepositoryRecord]) -> dict[str, Any]:
    """The indexed repositories."""
    return {
        "format": FORMAT,
        "repositories": [
            {
                "repository": record.key,
                "key_kind": str(record.key_kind),
                "location": record.location,
                "kind": record.kind,
                "revision": record.revision,
                "files": record.files,
                "size": record.size,
                "skipped": _skipped(record.skipped),
                "indexed_at": record.indexed_at,
            }
            for record in records
        ],
    }


def stats_to_dict(stats: IndexStats) -> dict[str, Any]:
    """Counts over an index."""
    return {
        "format": FORMAT,
        "engine": stats.engine,
        "location": stats.location,
        "index_format": stats.format,
        "schemes": {str(key): value for key, value in stats.schemes.items()},
        "repositories": stats.repositories,
        "occurrences": stats.occurrences,
        "blobs": stats.blobs,
        "size": stats.size,
        "tokens": stats.tokens,
        "languages": dict(sorted(stats.languages.items())),
        "skipped": _skipped(stats.skipped),
        "stored": stats.stored,
        "older": dict(sorted(stats.older.items())),
        "without_grammar": dict(sorted(stats.without_grammar.items())),
    }


def boilerplate_to_dict(sets: Iterable[BoilerplateSet]) -> dict[str, Any]:
    """Boilerplate sets, each with the count of its k-grams by representation."""
    return {
        "format": FORMAT,
        "sets": [
            {
                "name": boilerplate.name,
                "files": list(boilerplate.files),
                "schemes": {str(key): value for key, value in boilerplate.schemes.items()},
                "kgrams": {str(key): len(hashes) for key, hashes in boilerplate.hashes.items()},
            }
            for boilerplate in sets
        ],
    }


def languages_to_dict(languages: Iterable[Language]) -> dict[str, Any]:
    """The languages, in the order of their names; `grammar` is null where none is used, `version` in it where it is not
    installed.
    """
    return {
        "format": FORMAT,
        "languages": [
            {
                "name": language.name,
                "aliases": list(language.aliases),
                "extensions": list(language.extensions),
                "filenames": list(language.filenames),
                "grammar": _grammar(language),
            }
            for language in languages
        ],
    }


def _grammar(language: Language) -> dict[str, Any] | None:
    grammar = language.grammar
    if not grammar:
        return None
    return {
        "distribution": grammar.distribution,
        "version": grammar.version,
        "oldest": grammar.oldest,
        "newest": grammar.newest,
        "extra": grammar.extra,
    }
