"""The tables of the embedded index; its postings are in runs (`engines.embedded.runs`).

| table | a row for each | |
| --- | --- | --- |
| `state` | index | the number of commits |
| `text` | repository key, revision, or facts that contents share (language, analysis stamp, values) | stored once |
| `content` | content that is indexed or occurs somewhere | its facts, if it is indexed |
| `block` | large content, or several small ones (`engines.embedded.blocks`) | number and three values of each content |
| `listing` | group of occurrences at neighboring paths of a repository (`engines.embedded.listings`) | compressed |
| `place` | pair of a content and a listing that contains it | |
| `repository`, `boilerplate`, `refusal`, `note` | record of that kind | as bytes (`engines.records`) |
| `run` | run | its description, and which of its documents are alive |

The three values of a content are its token stream, its references and its text.
A `seal` is a CRC-32 of the table's name and the row's other values. All other values of bytes, except names, paths and
ids, begin with a checksum (`engines.records.seal`). Runs refer to a content by its number.
The index over the first bytes of ids finds a content without storing its id twice.
"""

from __future__ import annotations

from wherefrom.support.formats import Format

FORMAT = Format(version=10, reader=10, oldest=10)
"""Raise the version with each change of `TABLES` or of the meaning of a column or run."""

PAGE_SIZE = 4_096
"""Bytes of a page of SQLite. Every table and every index takes at least one page."""

ID_PREFIX = "substr(id, 1, 4)"
"""The first bytes of an id. The index over ids stores only these bytes, which few contents share, to save space."""

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
CREATE TABLE note (name BLOB PRIMARY KEY, record BLOB NOT NULL);
CREATE TABLE run (name INTEGER PRIMARY KEY AUTOINCREMENT, record BLOB NOT NULL, alive BLOB NOT NULL);
"""
