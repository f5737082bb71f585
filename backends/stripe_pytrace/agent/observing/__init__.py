"""What a run's variables hold: values that kept events see, and whole states."""
