"""Tables and clients read from files."""
