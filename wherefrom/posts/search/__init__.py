"""The code of imported posts, looked up in an index: block after block, and into a report that a later run resumes."""
