"""Graphs as dictionaries of neighbours."""

import heapq


def distances(graph, start):
    found = {start: 0}
    queue = [start]
    while queue:
        node = queue.pop(0)
        for other in graph.get(node, ()):
            if other not in found:
                found[other] = found[node] + 1
                queue.append(other)
    return found


def cheapest(graph, start, goal):
    costs = {start: 0}
    came = {}
    heap = [(0, start)]
    done = set()
    while heap:
        cost, node = heapq.heappop(heap)
        if node in done:
            continue
        done.add(node)
        if node == goal:
            break
        for other, price in graph.get(node, {}).items():
            total = cost + price
            if other not in costs or total < costs[other]:
                costs[other] = total
                came[other] = node
                heapq.heappush(heap, (total, other))
    if goal not in costs:
        return None
    path = [goal]
    while path[-1] != start:
        path.append(came[path[-1]])
    return costs[goal], path[::-1]


def ordered(graph):
    waiting = {node: 0 for node in graph}
    for others in graph.values():
        for other in others:
            waiting[other] = waiting.get(other, 0) + 1
    ready = sorted(node for node, count in waiting.items() if count == 0)
    result = []
    while ready:
        node = ready.pop(0)
        result.append(node)
        for other in graph.get(node, ()):
            waiting[other] -= 1
            if waiting[other] == 0:
                ready.append(other)
        ready.sort()
    if len(result) < len(waiting):
        raise ValueError("cycle")
    return result


def components(graph):
    seen = set()
    found = []
    for start in sorted(graph):
        if start in seen:
            continue
        group = []
        stack = [start]
        seen.add(start)
        while stack:
            node = stack.pop()
            group.append(node)
            for other in graph[node]:
                if other not in seen:
                    seen.add(other)
                    stack.append(other)
        found.append(sorted(group))
    return found


def has_cycle(graph):
    state = {}

    def visit(node):
        if state.get(node) == "open":
            return True
        if state.get(node) == "done":
            return False
        state[node] = "open"
        for other in graph.get(node, ()):
            if visit(other):
                return True
        state[node] = "done"
        return False

    return any(visit(node) for node in graph)
