"""The text engine: finds passages and writes answers. What it needs from the outside is handed in."""
