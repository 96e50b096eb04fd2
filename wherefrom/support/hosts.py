"""Hosts of repositories, and their URLs of repositories, files and lines. A new host is a row of `HOSTS`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from ipaddress import ip_address

from wherefrom.support.pattern import later
from wherefrom.support.values import dataclass

_LINES = later(
    r"L([0-9]{1,9})(?:C[0-9]{1,9})?(?:-L?([0-9]{1,9})(?:C[0-9]{1,9})?)?|lines-([0-9]{1,9})(?::([0-9]{1,9}))?(?:,.*)?"
)
_REFS = (["refs", "heads"], ["refs", "tags"])


@dataclass(frozen=True, slots=True)
class Software:
    """The software of a host, which decides the form of its URLs after the path of the repository."""

    # the parts of a URL between repository and revision, for each kind of page of a file; links use the first kind. If
    # more parts come between revision and path, a `*` marks the revision
    files: tuple[str, ...]
    folders: tuple[str, ...] = ()  # the same for pages of folders
    lines: str = "#L{first}-L{last}"  # the fragment that names lines
    is_nested: bool = False  # whether the path of a repository may have more than two parts. A dash then follows it

    def page(self, revision: str, path: str, lines: tuple[int, int] | None = None) -> str:
        """The part of a file's URL after the URL of its repository, from a percent-encoded revision and path. `lines`
        are the first and the last, 1-based and inclusive; None for the whole file.
        """
        form = self.files[0]
        named = form.replace("*", revision) if "*" in form else f"{form}/{revision}"
        return f"/{named}/{path}" + (self.lines.format(first=lines[0], last=lines[1]) if lines else "")


GITHUB = Software(("blob", "blame", "raw"), ("tree",))
GITLAB = Software(("-/blob", "-/blame", "-/raw"), ("-/tree",), lines="#L{first}-{last}", is_nested=True)
GITEA = Software(tuple(f"{page}/{ref}" for page in ("src", "raw", "blame") for ref in ("commit", "branch", "tag")))
BITBUCKET = Software(("src", "raw", "annotate"), lines="#lines-{first}:{last}")
SOURCEHUT = Software(("tree/*/item", "blob", "blame"), lines="#L{first}-{last}")
_RAW = Software(("",))


@dataclass(frozen=True, slots=True)
class Host:
    """A known host."""

    software: Software
    purl: str | None = None  # its type of package URL, if it has one: https://github.com/package-url/purl-spec
    ignores_case: bool = False
    repositories: str | None = None  # the host of its repositories, if it has only the contents of files


HOSTS: Mapping[str, Host] = {
    "github.com": Host(GITHUB, purl="github", ignores_case=True),
    "raw.githubusercontent.com": Host(_RAW, repositories="github.com"),
    "gitlab.com": Host(GITLAB),
    "bitbucket.org": Host(BITBUCKET, purl="bitbucket"),
    "codeberg.org": Host(GITEA),
    "gitea.com": Host(GITEA),
    "gitee.com": Host(GITHUB),
    "git.sr.ht": Host(SOURCEHUT),
    "framagit.org": Host(GITLAB),
    "salsa.debian.org": Host(GITLAB),
    "gitlab.freedesktop.org": Host(GITLAB),
    "gitlab.gnome.org": Host(GITLAB),
    "invent.kde.org": Host(GITLAB),
}


@dataclass(frozen=True, slots=True)
class Place:
    """A repository, a folder or a file at a host."""

    host: str
    repository: str
    # the parts of the revision and then of the path, still percent-encoded; empty for the repository itself
    steps: tuple[str, ...] = ()


def place(name: str, steps: Sequence[str], *, folders: bool = False) -> Place | None:
    """The repository, folder or file that the path of a URL names; None for other pages. At an unknown host, the URLs
    of GitHub, GitLab and Gitea are recognized. The host is in lower case, without `www.`; `steps` are the parts of the
    path that are not empty. With `folders`, pages of folders count too; at known hosts, also pages of repositories.
    """
    host = HOSTS.get(name)
    at = (host and host.repositories) or name
    for software in (GITEA, GITHUB, GITLAB) if host is None else (host.software,):
        found = _split(software, steps, folders=folders)
        if found is not None:
            return Place(at, *found)
    if host is None or not folders or host.software is _RAW or "-" in steps:
        return None
    if len(steps) == 2 or (len(steps) > 2 and host.software.is_nested):
        return Place(name, "/".join(steps).removesuffix(".git"))
    return None


def lines_of(fragment: str) -> tuple[int, int] | None:
    """The first and the last line in the fragment of a URL, unchecked; None if it names no lines."""
    found = _LINES.fullmatch(fragment)
    if found is None:
        return None
    first, last = found[1] or found[3], found[2] or found[4]
    return int(first), int(last or first)


def _split(software: Software, steps: Sequence[str], *, folders: bool) -> tuple[str, tuple[str, ...]] | None:
    """The path of the repository, and the parts of revision and path; None if the steps have another form."""
    end = 2
    if software.is_nested:
        if "-" not in steps[2:]:
            return None
        end = steps.index("-", 2)
    behind = list(steps[end:])
    for form in (*software.files, *(software.folders if folders else ())):
        parts = form.split("/") if form else []
        # A part `-` is not a revision: at GitLab, it follows the path of a repository, so this URL has another form.
        if len(behind) < len(parts) or behind[len(parts) : len(parts) + 1] == ["-"] or len(steps) < 2:
            continue
        if all(part in ("*", step) for part, step in zip(parts, behind, strict=False)):
            revision = [behind[parts.index("*")]] if "*" in parts else []
            rest = behind[len(parts) :]
            return "/".join(steps[:end]), (*revision, *(rest[2:] if rest[:2] in _REFS else rest))
    return None


def is_public_address(text: str) -> bool:
    """Whether an IP address belongs to the public internet; ValueError if it is not an IP address."""
    address = ip_address(text.partition("%")[0])
    inner = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None) or address
    return bool(inner.is_global and not inner.is_multicast)
