class Node:
    def __init__(self, value, next=None): self.value, self.next = value, next

class LinkedList:
    def __init__(self, items=()):
        self.head = None
        self.size = 0
        for item in items: self.append(item)
    def append(self, value):
        node = Node(value)
        self.size += 1
        if self.head is None:
            self.head = node
            return
        last = self.head
        while last.next: last = last.next
        last.next = node
    def remove(self, value):
        previous, node = None, self.head
        while node:
            if node.value == value:
                if previous: previous.next = node.next
                else: self.head = node.next
                self.size -= 1
                return True
            previous, node = node, node.next
        return False
    def reverse(self):
        previous, node = None, self.head
        while node:
            node.next, previous, node = previous, node, node.next
        self.head = previous
    def __iter__(self):
        node = self.head
        while node:
            yield node.value
            node = node.next
    def __len__(self): return self.size
    def __str__(self): return " -> ".join(map(str, self)) or "(empty)"

xs = LinkedList([3, 1, 4, 1, 5])
print(xs, len(xs))
print(xs.remove(1), xs.remove(3), xs.remove(9), xs)
xs.reverse()
print(xs, list(LinkedList()), LinkedList(), 4 in xs)
