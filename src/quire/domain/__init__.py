"""What things are: models, roles and errors. No I/O and no clock."""
