"""How well ``stripe why`` answers: faults of real projects, found beside its rivals."""
