"""Reports of what an index holds, and of the languages; one table of formats for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from wherefrom.languages import Language
from wherefrom.model import Occurrence, RepositoryRecord
from wherefrom.reports import data
from wherefrom.reports.listings import text
from wherefrom.reports.renderer import Renderer
from wherefrom.results import IndexStats, MissingSource

REPOSITORIES: Mapping[str, Renderer[Sequence[RepositoryRecord]]] = {
    "text": Renderer(text.write_repositories),
    **data.list_formats("repositories"),
}

FILES: Mapping[str, Renderer[Iterable[Occurrence]]] = {"text": Renderer(text.write_files), **data.list_formats("files")}

MISSING: Mapping[str, Renderer[Sequence[MissingSource]]] = {
    "text": Renderer(text.write_missing),
    **data.list_formats("missing"),
}

STATS: Mapping[str, Renderer[IndexStats]] = {"text": Renderer(text.write_stats), **data.formats()}

LANGUAGES: Mapping[str, Renderer[Sequence[Language]]] = {
    "text": Renderer(text.write_languages),
    **data.list_formats("languages"),
}
