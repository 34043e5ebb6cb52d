"""How text is searched: lines by RE2, and an index of words that says which texts need not be read."""
