"""The search for proofs of scalar claims, and their records."""
