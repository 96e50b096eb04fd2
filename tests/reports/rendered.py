"""Renders answers for tests."""

from __future__ import annotations

from typing import TypeVar

from wherefrom.reports.renderer import Look, Renderer

_Answer = TypeVar("_Answer")

PLAIN = Look()


def rendered(renderer: Renderer[_Answer], answer: _Answer, look: Look = PLAIN) -> str:
    """The whole text of an answer, without the header."""
    return "".join(renderer.write(answer, look))
