"""What a change does to the files of a project: two states of it compared, and diffs read and applied."""
