"""Videos: when each picture is seen, and the program that encodes them."""
