// node debugger.cjs debugger.js: the extension's debugger, with a module in place of VS Code's own.
const assert = require("node:assert/strict");
const Module = require("node:module");

const asked = [];
const session = { type: "stripe", customRequest: async (...words) => (asked.push(words), replies[words[0]]) };
const replies = {
  "stripe/origins": { origins: [{ event: 7, source: { name: "prog.py" }, line: 2, why: "total" }] },
};
const given = {};
const vscode = {
  CodeLens: class { constructor(range, command) { Object.assign(this, { range, command }); } },
  DebugAdapterExecutable: class { constructor(command, args, options) { Object.assign(this, { command, args, options }); } },
  Uri: { parse: (text) => ({ text, fsPath: text.replace("file://", "") }) },
  commands: { registerCommand: (name, run) => ((given[name] = run), { dispose() {} }) },
  debug: {
    activeDebugSession: session,
    registerDebugAdapterDescriptorFactory: (type, factory) => ((given.factory = factory), assert.equal(type, "stripe")),
    registerDebugConfigurationProvider: (type, provider) => (given.provider = provider),
    startDebugging: async (folder, configuration) => (given.started = configuration),
  },
  window: {
    activeTextEditor: { document: { languageId: "python", uri: { fsPath: "/w/prog.py" } } },
    showQuickPick: async (items) => items[0],
    showErrorMessage() {},
    showInformationMessage() {},
  },
  workspace: {
    getConfiguration: () => ({ get: () => "3.13" }),
    getWorkspaceFolder: () => undefined,
  },
};
const load = Module._load;
Module._load = (name, ...more) => (name === "vscode" ? vscode : load(name, ...more));
const { registerDebugger, withDebugLenses, nodeOf } = require(process.argv[2]);

(async () => {
  registerDebugger(() => "/bin/stripe");
  const started = given.factory.createDebugAdapterDescriptor({ workspaceFolder: { uri: { fsPath: "/w" } } });
  assert.deepEqual([started.command, started.args, started.options], ["/bin/stripe", ["debug"], { cwd: "/w" }]);

  // Without a launch.json: the open file. What is given counts.
  const resolve = given.provider.resolveDebugConfiguration;
  const folder = { uri: { fsPath: "/w" } };
  assert.deepEqual(resolve(folder, {}), {
    cwd: "/w", python: "3.13", type: "stripe", request: "launch", name: "Stripe: why did this fail?", program: "/w/prog.py",
  });
  const own = resolve(folder, { type: "stripe", request: "launch", name: "n", pytest: "t.py::a", cwd: "/other", python: "p" });
  assert.deepEqual(own, { cwd: "/other", python: "p", type: "stripe", request: "launch", name: "n", pytest: "t.py::a" });

  // Tests: from the explorer, and beside a code lens of the server.
  const item = { id: "/w/test_it.py::Class::test_one", uri: { fsPath: "/w/test_it.py" } };
  assert.equal(nodeOf(item), "/w/test_it.py::Class::test_one");
  assert.equal(nodeOf({ id: "/w/test_it.py", uri: item.uri }), undefined);
  await given["stripe.debugTestItem"](item);
  assert.equal(given.started.pytest, "/w/test_it.py::Class::test_one");
  const why = new vscode.CodeLens(1, { command: "stripe.why", arguments: [{ uri: "file:///w/t.py", test: "test_a" }] });
  const [same, lens] = withDebugLenses([why]);
  assert.equal(same, why);
  await given[lens.command.command](...lens.command.arguments);
  assert.equal(given.started.pytest, "/w/t.py::test_a");
  const failed = new vscode.CodeLens(1, { command: "stripe.why", arguments: [{ uri: "file:///w/prog.py" }] });
  const program = withDebugLenses([failed])[1].command;
  await given[program.command](...program.arguments);
  assert.equal(given.started.program, "/w/prog.py");

  // What the protocol has no request for.
  await given["stripe.origins"]();
  await given["stripe.stepInBack"]();
  assert.deepEqual(asked.map(([name, argument]) => [name, argument]), [
    ["stripe/origins", {}], ["stripe/jump", { event: 7 }], ["stripe/stepInBack", {}],
  ]);
})().catch((error) => { console.error(error); process.exit(1); });
