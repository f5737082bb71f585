"""How fast STRIPE is and what it needs, as ratios measured side by side: ``make bench``."""
