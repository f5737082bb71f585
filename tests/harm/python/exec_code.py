# kind: code from a text
# check: stdout
import os
os.makedirs("tree/a")
where = os.environ["VICTIM"]
where = "."
code = compile("os.system(f'cd {where} && rm -rf tree')", "<text>", "exec")
exec(code)
print(os.path.exists("tree"))
