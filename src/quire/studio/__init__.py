"""The studio: makes artifacts of sources. Evidence, then an outline, then content; each typed, each kept.

It has no I/O of its own: texts, a way to search and a model are handed in, and files are made behind a port. A kind is
one file here and one row in `kinds.py`. Nothing is imported before it is used.
"""
