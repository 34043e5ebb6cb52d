"""The five contracts as rows, and the tests that prove them."""
