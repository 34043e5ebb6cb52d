"""SQL stores: named queries, run by SQLite or PostgreSQL."""
