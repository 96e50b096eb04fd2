"""Where code comes from: git objects, folders, archives and URLs, as sources of blobs with their paths."""
