"""The embedded engine: an index in a folder, with postings in run files and records in SQLite."""
