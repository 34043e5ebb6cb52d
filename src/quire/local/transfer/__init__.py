"""Notebooks that are taken elsewhere: into a file, out of one, and from one notebook into another."""
