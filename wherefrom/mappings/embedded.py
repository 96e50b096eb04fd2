"""The tables of the embedded index; its postings are in runs (`engines.embedded.runs`).

| table | a row for each | |
| --- | --- | --- |
| `state` | index | how often it was committed to |
| `text` | repository key, revision, and kind of contents (language, analysis stamp, values) | others have its number |
| `content` | content that is indexed or occurs somewhere | its facts, if it is indexed |
| `block` | large content, or several small ones (`engines.embedded.blocks`) | their numbers, and three values of each |
| `listing` | some occurrences at neighboring paths of a repository (`engines.embedded.listings`) | compressed |
| `place` | content and listing that has it | |
| `repository`, `boilerplate`, `refusal` | record of that kind | as bytes (`engines.records`) |
| `run` | run | its description, and which of its documents live |

The three values are the token stream, what it says of its source, and the source.
A `seal` is a CRC-32 of the table's name and the row's other values. Every value of bytes that is not a name, a path or
an id begins with a checksum of its own (`engines.records.seal`). A content's number is that of its documents in runs.
The index over the first bytes of ids finds a content without holding its id a second time.
"""

from __future__ import annotations

from wherefrom.support.formats import Format

FORMAT = Format(version=7, reader=7, oldest=7)
HISTORY = {
    1: "the first",
    2: "the analysis of each blob, refused contents, checksums, the oldest reader",
    3: "a checksum in `wherefrom.json`",
    4: "records in SQLite, postings in runs",
    5: "small contents in blocks, token streams of format 2",
    6: "occurrences in listings, ids once, small pages",
    7: "the bits of a term in `wherefrom.json`",
}
"""What each format version changed. A change of `TABLES`, or of what a column or a run holds, needs a new version."""

PAGE_SIZE = 4_096
"""Bytes of a page of SQLite: every table and every index over one takes a page at least."""

ID_PREFIX = "substr(id, 1, 4)"
"""What the index over the ids of contents holds: few contents share it, and an id is in its row alone."""

TABLES = f"""
CREATE TABLE state (version INTEGER NOT NULL, seal INTEGER NOT NULL);
CREATE TABLE text (number INTEGER PRIMARY KEY, value BLOB NOT NULL UNIQUE, seal INTEGER NOT NULL);
CREATE TABLE content (
  number INTEGER PRIMARY KEY, id BLOB NOT NULL,
  kind INTEGER, size INTEGER, token_count INTEGER, block INTEGER, seal INTEGER NOT NULL
);
CREATE INDEX content_id ON content ({ID_PREFIX});
CREATE TABLE block (number INTEGER PRIMARY KEY, contents BLOB NOT NULL, tokens BLOB, "references" BLOB, source BLOB);
CREATE TABLE listing (
  number INTEGER PRIMARY KEY, repository INTEGER NOT NULL, first BLOB NOT NULL, count INTEGER NOT NULL,
  places BLOB NOT NULL
);
CREATE INDEX listing_first ON listing (repository, first);
CREATE TABLE place (content INTEGER NOT NULL, listing INTEGER NOT NULL, PRIMARY KEY (content, listing)) WITHOUT ROWID;
CREATE TABLE repository (name BLOB PRIMARY KEY, record BLOB NOT NULL);
CREATE TABLE boilerplate (name BLOB PRIMARY KEY, record BLOB NOT NULL, hashes BLOB NOT NULL);
CREATE TABLE refusal (name BLOB PRIMARY KEY, record BLOB NOT NULL);
CREATE TABLE run (name INTEGER PRIMARY KEY AUTOINCREMENT, record BLOB NOT NULL, alive BLOB NOT NULL);
"""
