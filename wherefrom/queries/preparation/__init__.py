"""Makes a query from a snippet: windows, weighted terms and k-grams, patterns."""
