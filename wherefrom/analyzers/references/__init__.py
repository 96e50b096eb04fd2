"""References: what a file says about its source, such as links, posts, licenses, copyright lines and authors."""

from wherefrom.analyzers.references.encoding import dump_references as dump_references
from wherefrom.analyzers.references.encoding import load_references as load_references
from wherefrom.analyzers.references.extract import of_file as of_file
from wherefrom.analyzers.references.extract import of_text as of_text
from wherefrom.analyzers.references.extract import words_in as words_in
from wherefrom.analyzers.references.licenses import may_state_license as may_state_license
from wherefrom.analyzers.references.reference import LICENSES as LICENSES
from wherefrom.analyzers.references.reference import LINKS as LINKS
from wherefrom.analyzers.references.reference import MOST as MOST
from wherefrom.analyzers.references.reference import PEOPLE as PEOPLE
from wherefrom.analyzers.references.reference import REFERENCES_VERSION as REFERENCES_VERSION
from wherefrom.analyzers.references.reference import Reference as Reference
from wherefrom.analyzers.references.reference import ReferenceKind as ReferenceKind
from wherefrom.analyzers.references.reference import References as References
from wherefrom.analyzers.references.scope import governs as governs
from wherefrom.analyzers.references.scope import is_license_file as is_license_file
from wherefrom.analyzers.references.scope import is_notice as is_notice
from wherefrom.analyzers.references.scope import notices as notices
from wherefrom.analyzers.references.scope import scope as scope
from wherefrom.analyzers.references.snippets import Snippets as Snippets
from wherefrom.analyzers.references.targets import HostedPlace as HostedPlace
from wherefrom.analyzers.references.targets import PostLink as PostLink
from wherefrom.analyzers.references.targets import Target as Target
from wherefrom.analyzers.references.targets import names as names
from wherefrom.analyzers.references.targets import source as source
from wherefrom.analyzers.references.targets import target as target
