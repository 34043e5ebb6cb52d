"""Notebooks moved between two libraries, whatever their engines: by what both declare, and nothing else."""
