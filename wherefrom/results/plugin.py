"""What the Elasticsearch plug-in is told to leave out."""

from __future__ import annotations

from dataclasses import dataclass

from wherefrom.model import Representation
from wherefrom.support.contract import JsonObject


@dataclass(frozen=True, slots=True)
class BoilerplateTerms(JsonObject):
    """A boilerplate set as the terms that the Elasticsearch plug-in writes.

    Attributes:
        name: of the set.
        representation: of the terms.
        terms: ascending as numbers; base64url of five bytes.
    """

    name: str
    representation: Representation
    terms: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<BoilerplateTerms {self.name!r} {self.representation} terms={len(self.terms)}>"
