"""Questions about your own project: `check` finds where else its code is, `fixed` who else has code that you fixed."""
