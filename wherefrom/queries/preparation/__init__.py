"""What is looked up: windows, weighted terms and k-grams, patterns."""
