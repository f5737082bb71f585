# kind: spawned workers do what the pickled call says
# check: stdout
import multiprocessing, os, shutil
if __name__ == "__main__":
    os.makedirs("tree/a")
    path = os.environ["VICTIM"] + "/tree"
    path = "tree"
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=os.system, args=(f"rm -rf {path}",))
    process.start()
    process.join()
    print(os.path.exists("tree"))
