"""What every reduction shares, whatever it reduces: journals, progress, workers elsewhere."""
