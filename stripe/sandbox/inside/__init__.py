"""What puts processes behind walls: runs as ``python -I -S enter.py``, standard library only."""
