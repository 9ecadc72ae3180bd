"""Claims on numbers and clients, read with clients written out."""
