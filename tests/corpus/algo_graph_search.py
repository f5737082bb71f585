import heapq
from collections import deque
GRAPH = {"a": {"b": 4, "c": 1}, "b": {"e": 1}, "c": {"b": 2, "d": 5}, "d": {"e": 3}, "e": {"a": 9}, "z": {}}

def bfs(start):
    seen, queue, order = {start}, deque([start]), []
    while queue:
        node = queue.popleft()
        order.append(node)
        for n in GRAPH[node]:
            if n not in seen:
                seen.add(n)
                queue.append(n)
    return order

def dfs(node, seen=None):
    seen = seen if seen is not None else []
    seen.append(node)
    for n in sorted(GRAPH[node]):
        if n not in seen:
            dfs(n, seen)
    return seen

def dijkstra(start):
    distance, previous, heap = {start: 0}, {}, [(0, start)]
    while heap:
        d, node = heapq.heappop(heap)
        if d > distance[node]: continue
        for n, w in GRAPH[node].items():
            if d + w < distance.get(n, float("inf")):
                distance[n], previous[n] = d + w, node
                heapq.heappush(heap, (d + w, n))
    return distance, previous

print(bfs("a"), dfs("a"))
distance, previous = dijkstra("a")
for node in GRAPH:
    if node not in distance:
        print(node, "unreachable")
        continue
    path = [node]
    while path[-1] in previous: path.append(previous[path[-1]])
    print(node, distance[node], "<-".join(path))
def topological(deps):
    out, marks = [], {}
    def visit(n):
        if marks.get(n) == "temp": raise ValueError(f"cycle at {n}")
        if n in marks: return
        marks[n] = "temp"
        for m in deps.get(n, ()): visit(m)
        marks[n] = "done"
        out.append(n)
    for n in deps: visit(n)
    return out
print(topological({"shoes": ["socks"], "shirt": [], "tie": ["shirt"]}))
try: topological({"x": ["y"], "y": ["x"]})
except ValueError as e: print(e)
