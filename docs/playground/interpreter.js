/* A Python interpreter in WebAssembly that runs one job after another, each from the same state.
 *
 * All that an interpreter is lies in its linear memory, in its files, and in the pointer of its
 * stack: these are copied once, and put back after each job, however that ended.  So runs are kept
 * apart as forks of a process are, without processes. */

"use strict";

const EXITED = "ExitStatus";
const SIGNALLED = 128;
const LEFT_ALONE = ["/dev", "/proc"];

export class Interpreter {
  /** `pyodide`: an interpreter in which nobody runs anything else, and `load`: what it begins with. */
  constructor(pyodide, load) {
    this.module = pyodide._module;
    this.files = pyodide.FS;
    this.runs = 0;
    pyodide.runPython(load, { globals: pyodide.toPy({ __name__: "guest" }) });
    pyodide.runPython("import gc\ngc.collect()\ndel gc");
    this.command = this.module.stringToNewUTF8("__import__('sys').stripe()");
    this.streams = [...this.files.streams];
    this.tree = this.#tree();
    this.inode = this.files.nextInode;
    this.stack = this.module.stackSave();
    this.memory = this.module.HEAPU8.slice();
  }

  /** Run a job with some files beside; what came of it, and all files that it has made or changed.
   *
   * `status` is missing where the interpreter itself broke down, with `broken` saying how. */
  run(added) {
    this.runs += 1;
    for (const [path, content] of added) this.#write(path, content);
    const ending = {};
    try {
      const result = this.module._PyRun_SimpleStringFlags(this.command, 0);
      ending.broken = `the job came back with ${result}`;
    } catch (error) {
      if (error?.name !== EXITED) ending.broken = String(error?.message ?? error);
      else if (error.status > SIGNALLED) ending.broken = `it sent itself signal ${error.status - SIGNALLED}`;
      else ending.status = error.status;
    }
    const files = new Map();
    for (const [path, entry] of this.#tree()) {
      if (entry.folder || this.#isAsBefore(path, entry)) continue;
      const content = this.files.readFile(path);
      const given = added.get(path);
      if (!(given && same(given, content))) files.set(path, content);
    }
    this.#putBack();
    return { ...ending, files };
  }

  /** All files and folders: what tells whether one has been changed. */
  #tree(path = "", node = this.files.lookupPath("/").node, found = new Map()) {
    for (const [name, each] of Object.entries(node.contents)) {
      const full = `${path}/${name}`;
      if (LEFT_ALONE.includes(full)) continue;
      const folder = this.files.isDir(each.mode);
      found.set(full, { node: each, folder, mode: each.mode, mtime: each.mtime, ctime: each.ctime });
      if (folder) this.#tree(full, each, found);
    }
    return found;
  }

  #isAsBefore(path, entry) {
    const before = this.tree.get(path);
    return before && ["node", "mode", "mtime", "ctime"].every((name) => before[name] === entry[name]);
  }

  #write(path, content) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    this.files.mkdirTree(folder);
    this.files.writeFile(path, content);
  }

  #putBack() {
    const { module, files } = this;
    files.chdir("/");
    files.streams.forEach((stream, number) => {
      if (stream && stream !== this.streams[number]) files.closeStream(number);
    });
    this.streams.forEach((stream, number) => {
      files.streams[number] = stream;
      if (stream) stream.fd = number; // one that was replaced has been closed
    });
    const now = this.#tree();
    for (const [path, { node, folder }] of [...now].reverse()) {
      if (this.tree.get(path)?.node === node) continue;
      if (folder) files.rmdir(path);
      else files.unlink(path);
    }
    for (const [path, entry] of this.tree) {
      const there = now.get(path);
      if (entry.folder) {
        if (there?.node !== entry.node) throw new Error(`the program has removed ${path}`);
      } else if (!there || !this.#isAsBefore(path, there)) {
        throw new Error(`the program has changed ${path}`);
      }
    }
    files.nextInode = this.inode;
    const used = module.HEAPU8;
    used.set(this.memory);
    used.fill(0, this.memory.length);
    module.stackRestore(this.stack);
  }
}

function same(one, other) {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index += 1) {
    if (one[index] !== other[index]) return false;
  }
  return true;
}
