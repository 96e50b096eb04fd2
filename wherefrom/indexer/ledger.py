"""Which file contents an indexing run has taken on, and what became of each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable
from typing import Generic, NamedTuple, TypeVar

from wherefrom.model import SkipReason

Owner = TypeVar("Owner")


class ContentKey(NamedTuple):
    """A blob, and whether it is analyzed even if it looks generated, because the user wants generated files or the
    repository declares the file authored. So one blob may be refused for one repository and indexed for another.
    """

    blob: str
    is_authored: bool


class Ledger(Generic[Owner]):
    """Makes an indexing run read, analyze and write each content only once.

    A content is in one of these states: free (nobody has taken it on, or it was committed); unread, and claimed by an
    owner; with the workers; written, and not yet committed; refused for the rest of the run. `known` takes blobs, and
    returns the ones that the index has.
    """

    def __init__(self, known: Callable[[Collection[str]], Collection[str]]) -> None:
        self._known = known
        self._unread: dict[ContentKey, Owner] = {}
        self._working: dict[ContentKey, Owner] = {}
        self._written: set[ContentKey] = set()
        self._refused: dict[ContentKey, SkipReason] = {}

    def claim(self, contents: Iterable[ContentKey], owner: Owner, stale: Container[str] = ()) -> set[ContentKey]:
        """Claims for `owner` the free contents that the index lacks or that are `stale`; returns these contents."""
        taken = (self._unread, self._working, self._written, self._refused)
        free = {content for content in contents if not any(content in state for state in taken)}
        known = self._known({content.blob for content in free})
        new = {content for content in free if content.blob not in known or content.blob in stale}
        self._unread.update(dict.fromkeys(new, owner))
        return new

    def release(self, content: ContentKey) -> None:
        """Gives up a content if it is unread: another owner may claim it."""
        self._unread.pop(content, None)

    def release_all(self, owner: Owner) -> None:
        """Gives up all contents of an owner that are unread."""
        self._unread = {content: other for content, other in self._unread.items() if other is not owner}

    def hand_over(self, content: ContentKey) -> None:
        """Records that an unread content was read and goes to the workers."""
        self._working[content] = self._unread.pop(content)

    def write(self, content: ContentKey) -> Owner:
        """Records that a content came from the workers and was written; returns its owner."""
        owner = self._working.pop(content)
        self._written.add(content)
        return owner

    def refuse(self, content: ContentKey, reason: SkipReason) -> Owner:
        """Records that a content is refused for the rest of the run; returns its owner. The content was with the
        workers, or was unread if an earlier run refused it.
        """
        owner = (self._unread if content in self._unread else self._working).pop(content)
        self._refused[content] = reason
        return owner

    def refusal(self, content: ContentKey) -> SkipReason | None:
        """Why a content was refused; None if it was not."""
        return self._refused.get(content)

    def commit(self) -> None:
        """Forgets the written contents: the index has them now."""
        self._written.clear()

    def forget_refused(self, most: int, needed: Callable[[], Container[ContentKey]]) -> None:
        """Forgets refused contents if there are more than `most`, except those that are `needed`. Forgotten contents
        are read again if they appear later.
        """
        if len(self._refused) > most:
            kept = needed()
            self._refused = {content: reason for content, reason in self._refused.items() if content in kept}
