"""The documentation: pages, and what makes the pages of reference."""
