"""Research on the local engine: runs that find sources, fast or deep."""
