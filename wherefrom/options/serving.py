"""The options of what serves an index to others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wherefrom.options.fields import Options, Seconds, Several, Text, Whole, option
from wherefrom.options.shared import OwnOption
from wherefrom.support.workers import LEAST_PARSE_MEMORY


@dataclass(frozen=True, kw_only=True)
class CallOptions(Options):
    """What a call to a server may take."""

    call_seconds: float = option(20.0, Seconds(), "End a call that takes longer.", flag=True, setting=True)
    call_memory: int = option(
        2_000_000_000,
        Whole(at_least=LEAST_PARSE_MEMORY, unit="bytes", metavar="BYTES"),
        "End a call that needs more memory, without that of the parser.",
        flag=True,
        setting=True,
    )


@dataclass(frozen=True, kw_only=True)
class McpOptions(CallOptions, OwnOption):
    """How `wherefrom mcp` serves an assistant."""


@dataclass(frozen=True, kw_only=True)
class ServeOptions(CallOptions, OwnOption):
    """How `wherefrom serve` serves."""

    host: str = option(
        "127.0.0.1",
        Text("ADDRESS"),
        "The address to listen at; one that other machines reach needs a token (WHEREFROM_TOKEN).",
        flag=True,
        setting=True,
    )
    port: int = option(8765, Whole(0, 65535), "The port; 0 for any that is free.", flag=True, setting=True)
    token: str | None = option(
        None, Text(secret=True), "What a request has to show; without it only this machine is served.", setting=True
    )
    trusted_hosts: Sequence[str] = option(
        (),
        Several(Text("NAME")),
        "A name by which this server is reached, beside localhost and addresses; repeatable.",
        flag="--trusted-host",
        setting=True,
    )
    processes: int | None = option(
        None,
        Whole(1, 256),
        "Processes that answer, each with the index open.",
        flag=True,
        setting=True,
        default_help="one on each core",
    )
    waiting: int = option(
        64, Whole(at_least=0), "Calls that may wait for a process; more are refused.", flag=True, setting=True
    )
    max_body: int = option(
        12_000_000,
        Whole(at_least=1000, unit="bytes", metavar="BYTES"),
        "Refuse longer requests.",
        flag=True,
        setting=True,
    )
