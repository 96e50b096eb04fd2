"""From values to text. Pure functions: nothing here reads a file or prints."""
