"""What Quire needs from the outside, as protocols. Adapters provide them."""
