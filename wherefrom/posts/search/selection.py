"""Which posts are meant, by the URLs, hosts and tags that a user names."""

from __future__ import annotations

from wherefrom.analyzers import references
from wherefrom.errors import UsageError
from wherefrom.options import PostsOptions
from wherefrom.posts.store import PostStore, Selection


def select(store: PostStore, options: PostsOptions) -> Selection:
    """The posts of a store that the options name.

    Raises:
        UsageError: a site or a URL that is not one of Stack Exchange.
        NotFound: the store has no code of a post that is named.
    """
    named = [named_post(url) for url in options.posts]
    selection = Selection(
        sites=tuple(named_site(site) for site in options.sites),
        tags=tuple(tag.lower() for tag in options.tags),
        posts=tuple((post.site, post.answer or post.question or 0) for post in named),
    )
    store.check(selection)
    return selection


def named_post(url: str) -> references.Post:
    """The post that a URL names. Raises UsageError if it is not one of a Stack Exchange site."""
    named = references.source(url)
    if isinstance(named, references.Post):
        return named
    raise UsageError(
        f"{url[:200]!a} is not a post of a Stack Exchange site; give a URL such as https://stackoverflow.com/a/12345, "
        "or the code itself in a file"
    )


def named_site(host: str) -> str:
    """A site's host as its URLs have it today. Raises UsageError if it is not one of Stack Exchange."""
    named = references.target(f"https://{host}/q/1")
    if isinstance(named, references.Post):
        return named.site
    raise UsageError(f"{host[:200]!a} is not a site of Stack Exchange; give its host, such as unix.stackexchange.com")
