"""Files of office programs."""
