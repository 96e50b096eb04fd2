"""Templates: every value is escaped and made visible, and a page allows only its own style and script."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from hashlib import sha256

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from wherefrom.reports.compare.html import SCRIPTS
from wherefrom.reports.pages.rendering import assets, data, environment, nested_style, render, web_link

HOSTILE = "</script><img src=x onerror=alert(1)>\u2028\u202e\x1b&\"'"


def test_a_text_is_escaped_and_made_visible() -> None:
    shown = environment().from_string("<p title='{{ text }}'>{{ text }}</p>").render(text=HOSTILE)
    seen = "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&lt;U+2028&gt;&lt;U+202E&gt;␛&amp;&#34;&#39;"
    assert shown == f"<p title='{seen}'>{seen}</p>"
    assert environment().from_string("{{ text }}").render(text=Markup("<b>")) == "<b>"


def test_a_name_that_is_missing_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        render("notebook.html")


def test_data_ends_no_element_and_parses_to_the_same_value() -> None:
    value = {"a": [HOSTILE, 1, None]}
    written = data(value)
    assert not set("<>&\u2028\u2029") & set(written)
    assert json.loads(written) == value


@pytest.mark.parametrize("scripts", [("common.js", "check.js"), (*SCRIPTS, "embedded.js")])
def test_the_policy_names_the_style_and_the_script(scripts: tuple[str, ...]) -> None:
    made = assets(*scripts)
    assert made.policy.startswith("default-src 'none'; ")
    hashes = [b64decode(one) for one in re.findall(r"'sha256-([^']+)'", made.policy)]
    assert hashes == [sha256(part.encode()).digest() for part in (made.style, made.script)]
    assert "unsafe" not in made.policy
    assert "</" not in made.style + made.script


def test_the_script_puts_no_markup_into_a_page() -> None:
    for name in ("check.js", "overview.js", "compare.js", "embedded.js"):
        script = assets("common.js", name).script
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|Function\(|DOMParser", script
        )
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", script)


def test_the_style_loads_nothing() -> None:
    for style in (assets("common.js").style, nested_style()):
        assert not re.search(r"@import|url\(|https?:", style)


@pytest.mark.parametrize("url", [None, "", "/home/x", "http://x.org", "javascript:alert(1)", "file:///x"])
def test_only_pages_on_the_web_are_links(url: str | None) -> None:
    assert web_link(url) is None
    assert web_link("https://x.org/a") == "https://x.org/a"
