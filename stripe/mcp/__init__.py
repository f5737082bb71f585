"""A server of the Model Context Protocol: what an assistant may ask about a project."""
