"""Questions about your own project: `check` looks its code up, `fixed` follows a fix of it."""
