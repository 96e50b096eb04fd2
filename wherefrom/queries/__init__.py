"""From a snippet, or an indexed file, to ranked, explained places.

The steps of a search, in the order in which `searching` calls them: `preparation`, `candidates`, `alignment`,
`judging`, `grouping`, `attributing`. `learning` and `decomposition` are packages that searches do not wait for.
"""

from wherefrom.queries.attributing.attribution import AttributionCriteria as AttributionCriteria
from wherefrom.queries.attributing.index_references import IndexReferences as IndexReferences
from wherefrom.queries.boilerplate import MOST_STORED as MOST_STORED
from wherefrom.queries.boilerplate import BoilerplateProgress as BoilerplateProgress
from wherefrom.queries.boilerplate import SetBuilder as SetBuilder
from wherefrom.queries.boilerplate import boilerplate_terms as boilerplate_terms
from wherefrom.queries.boilerplate import fitting_names as fitting_names
from wherefrom.queries.boilerplate import left_out as left_out
from wherefrom.queries.boilerplate import make_set as make_set
from wherefrom.queries.boilerplate import set_names as set_names
from wherefrom.queries.boilerplate import stored_set as stored_set
from wherefrom.queries.boilerplate import unknown_names as unknown_names
from wherefrom.queries.digests import index_digest as index_digest
from wherefrom.queries.filters import Filters as Filters
from wherefrom.queries.filters import own_keys as own_keys
from wherefrom.queries.judging.rule import STRONG as STRONG
from wherefrom.queries.occurrences import content_at as content_at
from wherefrom.queries.occurrences import current_occurrences as current_occurrences
from wherefrom.queries.occurrences import records_at as records_at
from wherefrom.queries.occurrences import texts as texts
from wherefrom.queries.permalinks import linked_code as linked_code
from wherefrom.queries.repository_names import repositories as repositories
from wherefrom.queries.repository_names import repository as repository
from wherefrom.queries.searching import Holder as Holder
from wherefrom.queries.searching import holders as holders
from wherefrom.queries.searching import search as search
from wherefrom.queries.searching import search_tokens as search_tokens
from wherefrom.queries.similarity.similar_files import find_occurrence as find_occurrence
from wherefrom.queries.similarity.similar_files import similar as similar
from wherefrom.queries.similarity.similar_files import similar_to as similar_to
from wherefrom.queries.snippet import analyze_query as analyze_query
