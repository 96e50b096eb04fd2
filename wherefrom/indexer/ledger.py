"""Which file contents an indexing run has taken on, and what became of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from wherefrom.model import SkipReason

Owner = TypeVar("Owner")


class Content(NamedTuple):
    """A blob, and whether it is analyzed although it looks generated.

    `is_authored` is set if the user asks for generated files, or if the repository declares the file authored. So one
    blob may be refused for one repository and indexed for another.
    """

    blob: str
    is_authored: bool


class Ledger(Generic[Owner]):
    """What an indexing run does with each content, so that it is read, analyzed and written once.

    A content is in one of these states, and in no other at the same time:

    - free: nobody has taken it on, or it was committed, and the index tells that it is known;
    - unread: claimed by an owner who has yet to read it;
    - with the workers: read, and not yet answered for;
    - written: given to the index, and not yet committed;
    - refused: not to be indexed, for the rest of the run.

    Args:
        known: which of these blobs the index holds; not asked about contents that are not free.
    """

    def __init__(self, known: Callable[[Collection[str]], Collection[str]]) -> None:
        self._known = known
        self._unread: dict[Content, Owner] = {}
        self._working: dict[Content, Owner] = {}
        self._written: set[Content] = set()
        self._refused: dict[Content, SkipReason] = {}

    def claim(self, contents: Iterable[Content], owner: Owner) -> set[Content]:
        """Takes on the contents that are free and that the index does not hold.

        Returns:
            Those contents, now unread.
        """
        free = {content for content in contents if not self._is_taken(content)}
        known = self._known({content.blob for content in free})
        new = {content for content in free if content.blob not in known}
        self._unread.update(dict.fromkeys(new, owner))
        return new

    def release(self, content: Content) -> None:
        """Gives up a content that may be unread: another owner may claim it."""
        self._unread.pop(content, None)

    def release_all(self, owner: Owner) -> None:
        """Gives up all that an owner has not read."""
        for content in [content for content, its_owner in self._unread.items() if its_owner is owner]:
            del self._unread[content]

    def hand_over(self, content: Content) -> None:
        """Records that an unread content was read and goes to the workers."""
        self._working[content] = self._unread.pop(content)

    def write(self, content: Content) -> Owner:
        """Records that a content came from the workers and was written.

        Returns:
            Who had claimed it.
        """
        owner = self._working.pop(content)
        self._written.add(content)
        return owner

    def refuse(self, content: Content, reason: SkipReason) -> Owner:
        """Records that a content came from the workers and is not indexed, in any repository.

        Returns:
            Who had claimed it.
        """
        owner = self._working.pop(content)
        self._refused[content] = reason
        return owner

    def refusal(self, content: Content) -> SkipReason | None:
        """Why a content was refused, None if it was not."""
        return self._refused.get(content)

    def commit(self) -> None:
        """Forgets what was written: the index knows it now."""
        self._written.clear()

    def _is_taken(self, content: Content) -> bool:
        return (
            content in self._unread or content in self._working or content in self._written or content in self._refused
        )
