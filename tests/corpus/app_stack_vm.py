# exit: 1
class VMError(RuntimeError): pass
class VM:
    def __init__(self, code): self.code, self.pc, self.stack, self.calls, self.ticks = code, 0, [], [], 0
    def run(self):
        while self.pc < len(self.code):
            self.ticks += 1
            op, *args = self.code[self.pc]
            self.pc += 1
            try:
                getattr(self, "op_" + op)(*args)
            except IndexError as e:
                raise VMError(f"stack empty at {self.pc - 1} ({op})") from e
        return self.stack
    def op_push(self, x): self.stack.append(x)
    def op_dup(self): self.stack.append(self.stack[-1])
    def op_sub(self): b, a = self.stack.pop(), self.stack.pop(); self.stack.append(a - b)
    def op_print(self): print("vm:", self.stack[-1])
    def op_jnz(self, to):
        if self.stack[-1]: self.pc = to
    def op_call(self, to): self.calls.append(self.pc); self.pc = to
    def op_ret(self): self.pc = self.calls.pop()
    def op_pop(self): self.stack.pop()
    def op_halt(self): self.pc = len(self.code)
vm = VM([("push", 3), ("call", 4), ("pop",), ("halt",), ("print",), ("push", 1), ("sub",), ("dup",), ("pop",), ("jnz", 4), ("ret",)])
print(vm.run(), vm.ticks)
VM([("push", 1), ("print",), ("pop",), ("pop",)]).run()
