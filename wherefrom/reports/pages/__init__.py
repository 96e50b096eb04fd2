"""The design of every page: templates, one style sheet, one plain script, and what is put into them."""
