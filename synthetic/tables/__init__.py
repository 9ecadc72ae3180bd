"""Problems made of rows of a table, and the tables themselves."""
