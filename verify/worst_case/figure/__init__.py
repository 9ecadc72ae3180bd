"""The figure of a federated round's worst case, with its committed data."""
