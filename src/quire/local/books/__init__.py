"""Books: a store of files that many write at once, with hashes, history and a log."""
