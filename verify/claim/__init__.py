"""What is said: the record of a statement, its parameters, families and instances."""
