"""`wherefrom serve`: an API, a page and tools for assistants over one index, with FastAPI and uvicorn."""
