"""Reports of what an index holds, and of the languages; one table of formats for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wherefrom.languages import Language
from wherefrom.model import RepositoryRecord
from wherefrom.reports import data
from wherefrom.reports.listings import text
from wherefrom.reports.renderer import Renderer
from wherefrom.results import IndexStats

REPOSITORIES: Mapping[str, Renderer[Sequence[RepositoryRecord]]] = {
    "text": Renderer(text.write_repositories),
    **data.list_formats("repositories"),
}

STATS: Mapping[str, Renderer[IndexStats]] = {"text": Renderer(text.write_stats), **data.formats()}

LANGUAGES: Mapping[str, Renderer[Sequence[Language]]] = {
    "text": Renderer(text.write_languages),
    **data.list_formats("languages"),
}
