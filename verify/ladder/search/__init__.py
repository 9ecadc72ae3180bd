"""The search for instances: where it begins, how it climbs, how sizes grow."""
