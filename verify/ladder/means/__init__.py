"""What a climb may spend, and the digest of what it climbs for."""
