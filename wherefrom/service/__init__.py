"""What others ask an index through a server or an assistant, and the processes that answer them.

It knows neither HTTP nor the protocol of assistants: `wherefrom.serve` and `wherefrom.mcp` do.
"""
