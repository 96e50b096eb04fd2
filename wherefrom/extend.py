"""What a program needs besides the public names to add commands, formats of answers, or servers: the packages `cli`,
`reports` and `serve` are written with `wherefrom.public` and this module. A name is loaded on its first use.
"""

# ruff: noqa: I001, PLC0414 -- by purpose; `as` makes a name public

from __future__ import annotations

from typing import TYPE_CHECKING

from wherefrom.support.pattern import names_in

if TYPE_CHECKING:
    # Texts: their languages, and comments in them.
    from wherefrom.analyzers.analyzer import Analyzer as Analyzer
    from wherefrom.analyzers.commenting import CommentWords as CommentWords
    from wherefrom.analyzers.commenting import CommentWriter as CommentWriter
    from wherefrom.analyzers.commenting import InsertedLines as InsertedLines
    from wherefrom.analyzers.guessing import guess as guess
    from wherefrom.languages import LANGUAGES as LANGUAGES
    from wherefrom.languages import remedy as remedy
    from wherefrom.languages.forms import words as words
    from wherefrom.posts.search import is_post as is_post
    from wherefrom.posts.search import language_of_post as language_of_post
    from wherefrom.projects.changes.patches import parse_diff as parse_diff

    # Licenses, and what a check accepts.
    from wherefrom.analyzers.references.expressions import is_listed_license as is_listed_license
    from wherefrom.analyzers.references.expressions import normalised_license as normalised_license
    from wherefrom.projects.check.baseline import baseline_of as baseline_of
    from wherefrom.projects.check.license_conflicts import licenses_conflict as licenses_conflict

    # Names of repositories, packages and files.
    from wherefrom.sources.repository_urls import is_key_pattern as is_key_pattern
    from wherefrom.sources.repository_urls import is_purl as is_purl
    from wherefrom.sources.repository_urls import is_url as is_url
    from wherefrom.sources.repository_urls import line_range as line_range
    from wherefrom.sources.repository_urls import package_parts as package_parts
    from wherefrom.sources.repository_urls import permalink as permalink
    from wherefrom.sources.repository_urls import without_credentials as without_credentials
    from wherefrom.sources.source import found_path as found_path

    # Sources that a user names.
    from wherefrom.compare.collection import likely_unit as likely_unit
    from wherefrom.sources.archive import is_archive as is_archive
    from wherefrom.sources.checkout import Checkout as Checkout
    from wherefrom.sources.listed import read_list as read_list
    from wherefrom.sources.packages.closure import without_version as without_version
    from wherefrom.sources.packages.locks import read_lock as read_lock

    # Indexes: their locations and formats, sets in them, and kept pages of published ones.
    from wherefrom.engines.kinds import KINDS as KINDS
    from wherefrom.engines.kinds import parse_location as parse_location
    from wherefrom.engines.kinds import pinned as pinned
    from wherefrom.engines.kinds import servers as servers
    from wherefrom.engines.published.kept import clear_kept as clear_kept
    from wherefrom.engines.published.kept import kept_bytes as kept_bytes
    from wherefrom.engines.published.kept import kept_folder as kept_folder
    from wherefrom.mappings import format_versions as format_versions
    from wherefrom.queries.boilerplate import fitting_names as fitting_names
    from wherefrom.queries.boilerplate import unknown_names as unknown_names

    # Limits, and what runs before or after a call.
    from wherefrom.compare.reviews import LONGEST_NOTE as LONGEST_NOTE
    from wherefrom.compare.reviews import dump_reviews as dump_reviews
    from wherefrom.lab.experiments import check_plot as check_plot
    from wherefrom.queries.fingerprinted import MOST_FINGERPRINTED as MOST_FINGERPRINTED
    from wherefrom.queries.similarity.similar_files import COMPARED_FILES as COMPARED_FILES
    from wherefrom.queries.similarity.similar_files import least_similar as least_similar
    from wherefrom.queries.snippet import MOST_QUERIED as MOST_QUERIED
else:
    __getattr__, __dir__ = names_in(__name__)
