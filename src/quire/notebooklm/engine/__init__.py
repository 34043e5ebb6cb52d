"""The engine that drives Google NotebookLM: the same declarations, done over there."""
