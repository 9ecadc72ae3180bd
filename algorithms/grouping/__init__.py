"""Who trains with whom: partitions of the clients."""
