"""A run takes on each content once, by one owner, whatever happens to the others."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import pytest
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule
from hypothesis.strategies import frozensets, sampled_from

from wherefrom.analyzers import stamps
from wherefrom.indexer.job import ContentKey, Ledger
from wherefrom.model import SkipReason

CONTENTS = [ContentKey(blob, is_authored) for blob in "abc" for is_authored in (False, True)]


def claim(ledger: Ledger[str], contents: Iterable[ContentKey], owner: str, **named: Collection[str]) -> set[ContentKey]:
    """Claims contents that are all prose by their names."""
    return set(ledger.claim({content: ["text"] for content in contents}, owner, **named))


class Runs(RuleBasedStateMachine):
    """Any order of events, an index that remembers commits, and the owner of each content."""

    unread = Bundle("unread")
    working = Bundle("working")

    def __init__(self) -> None:
        super().__init__()
        self.index: set[str] = set()
        self.taken: dict[ContentKey, str] = {}
        self.written: set[ContentKey] = set()
        self.refused: set[ContentKey] = set()
        self.ledger: Ledger[str] = Ledger(self.known)

    def known(self, blobs: Collection[str]) -> dict[str, str]:
        return dict.fromkeys(self.index & set(blobs), stamps.stamp("text"))

    @rule(target=unread, contents=frozensets(sampled_from(CONTENTS)), owner=sampled_from(["one", "two"]))
    def claim(self, contents: frozenset[ContentKey], owner: str) -> object:
        claimed = claim(self.ledger, contents, owner)
        free = {content for content in contents if content.blob not in self.index}
        assert claimed == free - self.taken.keys() - self.written - self.refused
        self.taken |= dict.fromkeys(claimed, owner)
        return multiple(*sorted(claimed))

    @rule(content=consumes(unread))
    def release(self, content: ContentKey) -> None:
        self.ledger.release(content)
        self.taken.pop(content, None)

    @rule(target=working, content=consumes(unread))
    def hand_over(self, content: ContentKey) -> object:
        if content not in self.taken:  # released with all others of its owner
            return multiple()
        self.ledger.hand_over(content)
        return content

    @rule(content=consumes(working))
    def write(self, content: ContentKey) -> None:
        assert self.ledger.write(content) == self.taken.pop(content)
        self.written.add(content)

    @rule(content=consumes(working))
    def refuse(self, content: ContentKey) -> None:
        assert self.ledger.refuse(content, SkipReason.BINARY) == self.taken.pop(content)
        self.refused.add(content)

    @rule()
    def commit(self) -> None:
        self.index |= {content.blob for content in self.written}
        self.written.clear()
        self.ledger.commit()

    @invariant()
    def refusals_stay(self) -> None:
        assert {content for content in CONTENTS if self.ledger.refusal(content)} == self.refused


TestRuns = Runs.TestCase


def test_an_owner_that_fails_frees_only_what_it_has_not_read() -> None:
    ledger: Ledger[str] = Ledger(lambda blobs: {})
    assert claim(ledger, CONTENTS[:4], "one") == set(CONTENTS[:4])
    assert claim(ledger, CONTENTS, "two") == set(CONTENTS[4:])
    ledger.hand_over(CONTENTS[0])
    ledger.release_all("one")
    assert claim(ledger, CONTENTS, "three") == set(CONTENTS[1:4])
    assert ledger.write(CONTENTS[0]) == "one"


def test_a_content_is_answered_for_once() -> None:
    ledger: Ledger[str] = Ledger(lambda blobs: {})
    [content] = claim(ledger, CONTENTS[:1], "one")
    with pytest.raises(KeyError):
        ledger.write(content)
    ledger.hand_over(content)
    ledger.write(content)
    for again in (lambda: ledger.write(content), lambda: ledger.hand_over(content)):
        with pytest.raises(KeyError):
            again()


def test_a_stale_content_is_claimed_although_the_index_holds_it() -> None:
    ledger: Ledger[str] = Ledger(lambda blobs: dict.fromkeys({"a", "b"} & set(blobs), stamps.stamp("text")))
    assert claim(ledger, CONTENTS[:4], "one", stale={"b"}) == set(CONTENTS[2:4])
    assert claim(ledger, CONTENTS[:4], "two", stale={"b"}) == set()


def test_refused_contents_are_forgotten_except_those_still_needed() -> None:
    ledger: Ledger[str] = Ledger(lambda blobs: {})
    first, second, third, *_ = CONTENTS
    claim(ledger, CONTENTS, "one")
    for content in (first, second, third):
        ledger.refuse(content, SkipReason.PARSE_TIMEOUT)
    ledger.forget_refused(3, lambda: pytest.fail("there are not too many"))
    assert ledger.refusal(third) is SkipReason.PARSE_TIMEOUT
    ledger.forget_refused(2, lambda: {second})
    assert [ledger.refusal(content) for content in (first, second, third)] == [None, SkipReason.PARSE_TIMEOUT, None]
    assert claim(ledger, [first, second], "two") == {first}


def test_a_content_is_claimed_again_for_a_name_in_another_language_of_code() -> None:
    known: dict[str, str] = {}
    ledger: Ledger[str] = Ledger(lambda blobs: {blob: known[blob] for blob in known.keys() & set(blobs)})
    content = ContentKey("a", is_authored=False)
    assert ledger.claim({content: ["text"]}, "one") == {content: None}
    assert ledger.hand_over(content) == {"text"}
    again, also = content._replace(again="cpp"), content._replace(again="bash cpp")
    assert ledger.claim({content: ["text", "cpp"]}, "two") == {again: stamps.stamp("text")}
    assert ledger.claim({content: ["text", "c"]}, "three") == {}
    assert ledger.claim({content: ["bash"]}, "three") == {also: stamps.stamp("cpp")}
    assert ledger.claim({content: ["bash"]}, "four") == {}
    assert ledger.hand_over(again) == ledger.hand_over(also) == {"bash", "cpp"}
    assert (ledger.write(also), ledger.write(again), ledger.write(content)) == ("three", "two", "one")
    ledger.commit()
    known["a"] = stamps.stamp("markdown")
    assert ledger.claim({content: ["text"]}, "three") == {}
    assert ledger.claim({content: ["css"]}, "three") == {content: stamps.stamp("markdown")}
    ledger.commit()
    known["b"] = stamps.stamp("javascript", others=("php",))
    other = content._replace(blob="b")
    assert ledger.claim({other: ["php"]}, "one") == ledger.claim({other: ["javascript", "text"]}, "one") == {}
    assert ledger.claim({other: ["typescript"]}, "one") == {other: known["b"]}
