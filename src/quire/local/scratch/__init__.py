"""Scratch: notebooks of cells for a session, which any client can read, edit and run."""
