"""The contracts' tools: a file a contract."""
