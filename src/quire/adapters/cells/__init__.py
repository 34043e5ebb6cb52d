"""Scratch notebooks in the formats of others, and the kernels that run them."""
