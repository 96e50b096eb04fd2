"""Selects posts by the URLs, hosts and tags that a user names."""

from __future__ import annotations

from wherefrom.analyzers import references
from wherefrom.errors import UsageError
from wherefrom.options import PostsOptions
from wherefrom.posts.store import PostStore, Selection


def select(store: PostStore, options: PostsOptions) -> Selection:
    """Makes the selection of blocks from the sites, tags and posts in the options.

    Raises:
        UsageError: a site or a URL is not one of Stack Exchange.
        NotFound: the store has no code of a post in `options.posts`.
    """
    named = [named_post(url) for url in options.posts]
    selection = Selection(
        sites=tuple(named_site(site) for site in options.sites),
        tags=tuple(tag.lower() for tag in options.tags),
        posts=tuple((post.site, post.answer or post.question or 0) for post in named),
    )
    store.check(selection)
    return selection


def named_post(url: str) -> references.PostLink:
    """The post at a URL. Raises UsageError if it is not on a Stack Exchange site."""
    named = references.source(url)
    if isinstance(named, references.PostLink):
        return named
    raise UsageError(
        f"{url[:200]!a} is not a post of a Stack Exchange site; give a URL such as https://stackoverflow.com/a/12345, "
        "or the code itself in a file"
    )


def named_site(host: str) -> str:
    """The present host of a site, which may have been renamed. Raises UsageError if it is not a Stack Exchange site."""
    named = references.target(f"https://{host}/q/1")
    if isinstance(named, references.PostLink):
        return named.site
    raise UsageError(f"{host[:200]!a} is not a site of Stack Exchange; give its host, such as unix.stackexchange.com")
