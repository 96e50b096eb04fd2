"""The options of the servers of an index."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wherefrom.options.fields import FilePath, Options, Seconds, Several, Text, Whole, option, whole_bytes
from wherefrom.options.shared import OwnOption
from wherefrom.support.values import dataclass
from wherefrom.support.workers import LEAST_PARSE_MEMORY


@dataclass(frozen=True, kw_only=True)
class CallOptions(Options):
    """The limits of a call to a server."""

    call_seconds: float = option(20.0, Seconds(), "Stop a call that takes longer.", setting=True)
    call_memory: int = option(
        2_000_000_000,
        whole_bytes(LEAST_PARSE_MEMORY),
        "Stop a call that needs more memory, not counting the parser.",
        setting=True,
    )


@dataclass(frozen=True, kw_only=True)
class ProgramOptions(CallOptions, OwnOption):
    """How `wherefrom mcp` serves an assistant, and `wherefrom lsp` an editor."""


@dataclass(frozen=True, kw_only=True)
class JobOptions(Options):
    """The limits of checks and comparisons of uploads, which run in the background."""

    reports: Path = option(
        Path(),
        FilePath("FOLDER"),
        "Keep uploads and reports here.",
        setting=True,
        default_help="`wherefrom/reports` in the user's data folder",
    )
    report_days: int = option(7, Whole(1, 3650), "Delete a report after this many days.", setting=True)
    job_seconds: float = option(1800.0, Seconds(), "Stop a check or a comparison that takes longer.", setting=True)
    job_memory: int = option(
        4_000_000_000, whole_bytes(LEAST_PARSE_MEMORY), "Stop one that needs more memory.", setting=True
    )
    job_space: int = option(
        10_000_000_000, whole_bytes(0), "Take no more uploads if reports take more than this.", setting=True
    )
    max_upload: int = option(500_000_000, whole_bytes(1000), "Refuse larger uploads.", setting=True)


@dataclass(frozen=True, kw_only=True)
class ServeOptions(CallOptions, JobOptions, OwnOption):
    """How `wherefrom serve` serves."""

    host: str = option(
        "127.0.0.1", Text("ADDRESS"), "The address; one that other machines reach needs tokens.", setting=True
    )
    port: int = option(8765, Whole(0, 65535), "The port; 0 for any free one.", setting=True)
    token: str | None = option(
        None, Text(secret=True), "A token with all rights, beside those of `wherefrom token`.", setting=True, flag=False
    )
    audit: Path | None = option(
        None, FilePath("FILE"), "Log who asks for what, as lines of JSON without code.", setting=True
    )
    trusted_hosts: Sequence[str] = option(
        (),
        Several(Text("NAME")),
        "A name of this server, in addition to localhost and IP addresses; repeatable.",
        flag="--trusted-host",
        setting=True,
    )
    processes: int | None = option(
        None,
        Whole(1, 256),
        "Number of processes that answer, each with the index open.",
        setting=True,
        default_help="one for each core",
    )
    waiting: int = option(
        64, Whole(at_least=0), "Number of calls that may wait for a process; more are refused.", setting=True
    )
    max_body: int = option(12_000_000, whole_bytes(1000), "Refuse larger requests.", setting=True)
