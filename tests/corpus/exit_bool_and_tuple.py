# exit: 1
import sys
codes = []
for code in (True, None, "text", 5, (1, 2)):
    try:
        sys.exit(code)
    except SystemExit as e:
        codes.append((e.code, str(e)))
print(codes)
exit((1, "two"))
