"""The agent's process: how it starts and forks, talks to the host, and is kept from doing harm."""
