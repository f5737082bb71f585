"""The Python backend: records through ``sys.monitoring``, replays by partial execution."""
