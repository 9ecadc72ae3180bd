"""What is wrong with a claim that fell, and its smallest mends."""
