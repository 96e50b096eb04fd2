"""Makes a query of a snippet: windows, weighted terms and k-grams, patterns."""
