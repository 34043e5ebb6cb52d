"""The local engine: everything one can do, over our own storage."""
