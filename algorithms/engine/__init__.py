"""What every method runs on: slots, noise, chunks, launches, graphs."""
