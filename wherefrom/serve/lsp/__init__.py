"""A language server: `wherefrom lsp` shows in an editor where else its code is, by the check."""
