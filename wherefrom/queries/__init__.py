"""From a snippet, or an indexed file, to ranked, explained places.

The steps of a search, in the order in which `searching` calls them: `preparation`, `candidates`, `alignment`,
`judging`, `grouping`, `attributing`. `learning` and `decomposition` are packages that searches do not wait for.
"""

from wherefrom.queries.attributing.attribution import AttributionCriteria
from wherefrom.queries.attributing.index_references import IndexReferences
from wherefrom.queries.boilerplate import (
    MOST_STORED,
    BoilerplateProgress,
    SetBuilder,
    boilerplate_terms,
    fitting_names,
    left_out,
    make_set,
    set_names,
    stored_set,
    unknown_names,
)
from wherefrom.queries.digests import index_digest
from wherefrom.queries.filters import AdmittedBlobs, Filters, own_keys
from wherefrom.queries.judging.rule import STRONG
from wherefrom.queries.occurrences import content_at, current_occurrences, records_at, texts
from wherefrom.queries.permalinks import linked_code
from wherefrom.queries.repository_names import repositories, repository
from wherefrom.queries.searching import Holder, holders, search, search_tokens
from wherefrom.queries.similarity.similar_files import find_occurrence, similar, similar_to
from wherefrom.queries.snippet import analyze_query

__all__ = [
    "MOST_STORED",
    "STRONG",
    "AdmittedBlobs",
    "AttributionCriteria",
    "BoilerplateProgress",
    "Filters",
    "Holder",
    "IndexReferences",
    "SetBuilder",
    "analyze_query",
    "boilerplate_terms",
    "content_at",
    "current_occurrences",
    "find_occurrence",
    "fitting_names",
    "holders",
    "index_digest",
    "left_out",
    "linked_code",
    "make_set",
    "own_keys",
    "records_at",
    "repositories",
    "repository",
    "search",
    "search_tokens",
    "set_names",
    "similar",
    "similar_to",
    "stored_set",
    "texts",
    "unknown_names",
]
