"""What is asked about a project of one's own: `check` looks up its code, `fixed` follows a fix of it."""
