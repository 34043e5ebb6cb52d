"""A whole notebook as one file: what stands in it. docs/export.md is its description."""
