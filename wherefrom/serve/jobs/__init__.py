"""Jobs: checks and comparisons of uploaded code, which run in the background and leave a report for a bounded time."""
