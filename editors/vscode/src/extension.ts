// Starts `stripe lsp` and sends it commands. All else (code lenses, progress, faded lines, inlay
// hints, hovers) is the server's and VS Code's own; docs/editors.md says what they speak.

import * as vscode from "vscode";
import { ExecuteCommandRequest, LanguageClient } from "vscode-languageclient/node";
import { registerDebugger, withDebugLenses } from "./debugger";
import { complaint } from "./server";

let client: LanguageClient | undefined;
let starting: Promise<LanguageClient | undefined> | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const commands: Record<string, () => Promise<void>> = {
    // The server announces stripe.why, stripe.slice, stripe.suspects, stripe.criterion and stripe.clear itself.
    "stripe.sliceFile": () => onEditor((uri) => send("stripe.slice", { uri })),
    "stripe.sliceTest": () => onEditor((uri, editor) => atTest("stripe.slice", uri, editor)),
    "stripe.whyTest": () => onEditor((uri, editor) => atTest("stripe.why", uri, editor)),
    "stripe.suspectsOfTest": () => onEditor((uri, editor) => atTest("stripe.suspects", uri, editor)),
    "stripe.switchCriterion": () => onEditor(switchCriterion),
    "stripe.clearSlices": () => send("stripe.clear"),
  };
  for (const [name, run] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  }
  context.subscriptions.push(
    ...registerDebugger(commandOf),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("stripe.command")) {
        await deactivate();
        await ready();
      }
    }),
  );
  void ready();
}

export async function deactivate(): Promise<void> {
  await starting;
  await client?.dispose();
  client = starting = undefined;
}

/** The running client; it is started if needed, and if that fails, the user is told why. */
function ready(): Promise<LanguageClient | undefined> {
  starting ??= start().then((started) => {
    if (!started) starting = undefined; // the next command tries again
    return started;
  });
  return starting;
}

function folderOf(): string | undefined {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
}

/** The command stripe, as the settings have it. */
function commandOf(): string {
  const setting = vscode.workspace.getConfiguration("stripe").get("command", "stripe");
  return setting.replaceAll("${workspaceFolder}", folderOf() ?? "");
}

async function start(): Promise<LanguageClient | undefined> {
  const folder = folderOf();
  const command = commandOf();
  const why = await complaint(command, folder);
  if (why !== undefined) {
    // Not awaited: a message stays until somebody closes it.
    void vscode.window.showErrorMessage(why, "Open Settings").then((answer) => {
      if (answer) void vscode.commands.executeCommand("workbench.action.openSettings", "stripe.command");
    });
    return undefined;
  }
  client = new LanguageClient(
    "stripe",
    "STRIPE",
    { command, args: ["lsp", "--stdio"], options: { cwd: folder } },
    // The server knows which of them its backends can trace.
    {
      documentSelector: [{ scheme: "file" }],
      middleware: {
        provideCodeLenses: async (document, token, next) => withDebugLenses((await next(document, token)) ?? []),
      },
    },
  );
  await client.start();
  return client;
}

/** Have the server execute a command of its own; its answer, if there is a server. */
async function send(command: string, argument?: object): Promise<any> {
  const server = await ready();
  return server?.sendRequest(ExecuteCommandRequest.type, {
    command,
    arguments: argument === undefined ? [] : [argument],
  });
}

/** Do something with the file that is looked at. */
async function onEditor(
  run: (uri: string, editor: vscode.TextEditor) => Promise<unknown>,
): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme === "file") {
    await run(editor.document.uri.toString(), editor);
  } else {
    say("Open the file first: a slice is of a program or a test that is on disk.");
  }
}

/** A command about the test at the cursor: the last one with a code lens above it. */
async function atTest(command: string, uri: string, editor: vscode.TextEditor): Promise<void> {
  if (!(await ready())) return;
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    "vscode.executeCodeLensProvider",
    editor.document.uri,
  );
  const above = lenses
    .filter((lens) => lens.range.start.line <= editor.selection.active.line)
    .filter((lens) => lens.command?.command === command && lens.command.arguments?.[0].test)
    .sort((one, other) => one.range.start.line - other.range.start.line);
  const lens = above.at(-1);
  if (lens === undefined) {
    say("There is no test of pytest above the cursor: put it into a function named test_... of a file named test_*.py.");
  } else {
    await send(command, { uri, test: lens.command!.arguments![0].test });
  }
}

async function switchCriterion(uri: string): Promise<void> {
  if (!(await ready())) return;
  const shown = await send("stripe.criterion", { uri });
  if (shown === null) {
    say("No slice is shown for this file. First: STRIPE: Critical slice of this file.");
  } else {
    vscode.window.setStatusBarMessage(`STRIPE: ${shown.name}`, 5000);
  }
}

function say(text: string): void {
  void vscode.window.showInformationMessage(`STRIPE: ${text}`);
}
