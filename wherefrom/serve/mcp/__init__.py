"""Tools for coding assistants by the Model Context Protocol: `wherefrom mcp`, and `/mcp` of `wherefrom serve`."""
