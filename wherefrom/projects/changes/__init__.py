"""The effect of a change on the files of a project: two states compared, and diffs read and applied."""
