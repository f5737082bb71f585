# kind: an attached database, and one that is dropped
# check: stdout
import os, sqlite3
base = sqlite3.connect(":memory:")
path = os.environ["VICTIM"] + "/data.db"
path = "mine.db"
base.execute("attach ? as other", (path,))
base.execute("drop table if exists other.people")
base.commit()
print("done")
