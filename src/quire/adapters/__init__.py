"""How it is done: databases, files, models and the rest of the outside world."""
