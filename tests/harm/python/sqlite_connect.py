# kind: a database of another name
# check: stdout
import os, sqlite3
path = os.environ["VICTIM"] + "/data.db"
path = "mine.db"
base = sqlite3.connect(path)
base.execute("create table if not exists people (name)")
base.execute("delete from people")
base.commit()
print(base.execute("select count(*) from people").fetchall())
