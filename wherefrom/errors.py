"""Every public error: what wherefrom raises on purpose.

Each class is below the one that it is a kind of; the command line prints any of them on one line and exits with 2.
A message is one line, says what is wrong and ends with the remedy.
"""

from __future__ import annotations


class WherefromError(Exception):
    """Base of all."""


class UsageError(WherefromError, ValueError):
    """An argument that cannot be right; also a ValueError."""


class WindowError(UsageError):
    """A query window smaller than the index's."""


class LanguageError(UsageError):
    """A language name that is not in the table."""


class AnalysisError(WherefromError):
    """A content that could not be analysed."""


class BinaryContent(AnalysisError):
    """A query that is not text."""


class NoSuchLines(AnalysisError):
    """Lines to look up that the text does not have."""


class ParseTimeout(AnalysisError):
    """Parsing took longer than the limit."""


class GrammarError(AnalysisError):
    """A grammar wheel is missing or has another version than the scheme names."""


class SourceError(WherefromError):
    """A clone, folder, archive, URL or list that cannot be read."""


class NotFound(SourceError):
    """Nothing is there."""


class GitError(SourceError):
    """git said no; the message quotes its first line."""


class DuplicateSource(SourceError):
    """Two sources of one run, or one and what the index holds, have the same repository key."""


class DiffError(SourceError):
    """A diff that is none, or does not apply."""


class UnusableIndex(WherefromError):
    """An index that cannot be used."""


class IndexMissing(UnusableIndex):
    """Nothing is there yet."""


class IndexFormatError(UnusableIndex):
    """Made by another format version, or not a wherefrom index at all."""


class SchemeMismatch(UnusableIndex):
    """Made by another scheme than the one asked for."""


class IndexBusy(UnusableIndex):
    """Another process is writing to it."""


class IndexClosed(UnusableIndex):
    """Used after it was closed."""


class IndexDamaged(UnusableIndex):
    """Its files do not open, or what they store has changed."""


class CopyError(WherefromError):
    """An index that cannot be copied there, or a copy that is not the same."""


class UnknownRepository(WherefromError):
    """The name of a repository that the index does not hold."""


class BaselineError(WherefromError):
    """A baseline file that cannot be used."""


class BoilerplateError(WherefromError):
    """A boilerplate set that is missing, exists already or is not of this scheme."""


class ExtraMissing(WherefromError):
    """A package that only an extra installs."""

    @classmethod
    def of(cls, missing: str, extra: str) -> ExtraMissing:
        """The error.

        Args:
            missing: a clause that says what is not installed.
            extra: the extra of wherefrom that installs it.
        """
        return cls(f"{missing}; {cls.remedy(extra)}")

    @staticmethod
    def remedy(extra: str) -> str:
        """How to install an extra. It names no index of packages, since wherefrom is in none of them: whoever takes the
        name there would be installed.
        """
        return f"install wherefrom with its extra {extra!r}, in a checkout: pip install '.[{extra}]'"


class KernelError(WherefromError):
    """The native kernel is required and cannot be used."""
