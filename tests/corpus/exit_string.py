# exit: 1
import sys
try:
    print("about to fail")
    value = int("12a")
except ValueError as e:
    sys.exit(f"error: {e}")
