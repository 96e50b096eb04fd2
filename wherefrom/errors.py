"""Every public error that wherefrom raises on purpose.

A message is one line: the problem, then the remedy. The command line prints the message and exits with 2.
"""

from __future__ import annotations


class WherefromError(Exception):
    """Base of all errors of wherefrom."""


class UsageError(WherefromError, ValueError):
    """An argument is invalid. It is also a ValueError."""


class LanguageError(UsageError):
    """A language name is unknown."""


class AnalysisError(WherefromError):
    """The content of a file, or a query, could not be analyzed."""


class BinaryContent(AnalysisError):
    """A query is binary data, not text."""


class NoSuchLines(AnalysisError):
    """A text does not have the lines to look up."""


class ParseTimeout(AnalysisError):
    """Parsing took longer than the limit."""


class GrammarError(AnalysisError):
    """The package of a language's grammar is not installed, or its version is not supported."""


class SourceError(WherefromError):
    """A clone, folder, archive, URL or list cannot be read."""


class NotFound(SourceError):
    """The file, post, site or other source that the caller named does not exist."""


class GitError(SourceError):
    """git failed; the message quotes what git wrote."""


class DuplicateSource(SourceError):
    """Two sources of one run, or a source and an indexed repository, have the same repository key."""


class DiffError(SourceError):
    """A diff is malformed or does not apply."""


class UnusableIndex(WherefromError):
    """An index cannot be used."""


class IndexMissing(UnusableIndex):
    """There is no index yet."""


class IndexFormatError(UnusableIndex):
    """The index has another format version, or is not an index of wherefrom at all."""


class SchemeMismatch(UnusableIndex):
    """The index was made with another fingerprinting scheme than the requested one."""


class NoCode(UnusableIndex):
    """The index has the fingerprints of a file, but not its code, which the call needs."""


class IndexBusy(UnusableIndex):
    """Another process is writing to the index."""


class IndexClosed(UnusableIndex):
    """The index was used after it was closed."""


class IndexDamaged(UnusableIndex):
    """The files of the index cannot be opened, or do not have the contents that were written."""


class CopyError(WherefromError):
    """An index cannot be copied to its target, or the copy differs."""


class UnknownRepository(WherefromError):
    """The index has no repository with this name."""


class BaselineError(WherefromError):
    """A baseline file cannot be used."""


class BoilerplateError(WherefromError):
    """A boilerplate set is missing, exists already or has another scheme."""


class ExtraMissing(WherefromError):
    """A package that belongs to an extra of wherefrom is not installed."""


class KernelError(WherefromError):
    """The native kernel is required and cannot be used."""
