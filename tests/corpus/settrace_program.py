# a program that traces itself
import sys
lines = []
def tracer(frame, event, arg):
    if frame.f_code.co_name == "traced":
        lines.append((event, frame.f_lineno - frame.f_code.co_firstlineno))
        return tracer
def traced(n):
    total = 0
    for i in range(n):
        total += i
    return total
sys.settrace(tracer)
traced(1)
sys.settrace(None)
print(len(lines) > 0, lines[0], lines[-1][0])
calls = []
def profiler(frame, event, arg):
    if event == "call":
        calls.append(frame.f_code.co_name)
sys.setprofile(profiler)
traced(1)
sys.setprofile(None)
print(calls)
