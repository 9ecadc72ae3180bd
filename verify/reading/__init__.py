"""A program becomes a claim in symbols, ready for a proof."""
