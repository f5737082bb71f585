// The debugger that goes backwards: `stripe debug` speaks the Debug Adapter Protocol, so VS Code needs to be told
// no more than how it is started, what is launched, and by which commands it is asked for what the protocol lacks.

import * as vscode from "vscode";

export const TYPE = "stripe";
const NAME = "Stripe: why did this fail?";

/** What a code lens tells: a file, and the name of a test in there; without one, the file is a program. */
type Asked = { uri: string; test?: string };

export function registerDebugger(command: () => string): vscode.Disposable[] {
  return [
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, {
      createDebugAdapterDescriptor: (session) =>
        new vscode.DebugAdapterExecutable(command(), ["debug"], { cwd: session.workspaceFolder?.uri.fsPath }),
    }),
    vscode.debug.registerDebugConfigurationProvider(TYPE, { resolveDebugConfiguration: resolved }),
    ...Object.entries(COMMANDS).map(([name, run]) => vscode.commands.registerCommand(name, run)),
  ];
}

export const COMMANDS: Record<string, (argument?: any) => Promise<void>> = {
  "stripe.debugFile": async () => {
    const editor = vscode.window.activeTextEditor;
    if (editor) await begin(editor.document.uri, { program: editor.document.uri.fsPath });
  },
  "stripe.debugTest": async (asked: Asked) => {
    const uri = vscode.Uri.parse(asked.uri);
    await begin(uri, asked.test ? { pytest: `${uri.fsPath}::${asked.test}` } : { program: uri.fsPath });
  },
  "stripe.debugTestItem": async (item: vscode.TestItem) => {
    const test = nodeOf(item);
    if (test !== undefined && item.uri) await begin(item.uri, { pytest: test });
    else void vscode.window.showInformationMessage("STRIPE: This is no test of pytest in a file.");
  },
  "stripe.stepInBack": () => ask("stripe/stepInBack"),
  "stripe.stepOutBack": () => ask("stripe/stepOutBack"),
  "stripe.toFailure": () => ask("stripe/jump", { to: "failure" }),
  "stripe.toEvent": async () => {
    const number = await vscode.window.showInputBox({ prompt: "Number of the event" });
    if (number) await ask("stripe/jump", { event: Number(number) });
  },
  "stripe.lastChange": () => toChange("stripe/lastChange"),
  "stripe.nextChange": () => toChange("stripe/nextChange"),
  "stripe.origins": () => toFlow("stripe/origins", "origins"),
  "stripe.consequences": () => toFlow("stripe/consequences", "consequences"),
};

/** A configuration with all that VS Code wants of it; without a launch.json, the open file. */
export function resolved(
  folder: vscode.WorkspaceFolder | undefined,
  given: vscode.DebugConfiguration,
): vscode.DebugConfiguration | undefined {
  const found = { ...given, type: TYPE, request: given.request || "launch", name: given.name || NAME };
  if (!("program" in found || "module" in found || "pytest" in found)) {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.languageId !== "python") return undefined;
    Object.assign(found, { program: editor.document.uri.fsPath });
  }
  const python = vscode.workspace.getConfiguration("stripe", folder).get<string | null>("python");
  return { cwd: folder?.uri.fsPath, ...(python ? { python } : {}), ...found };
}

/** The name by which pytest knows a test of the explorer, whose id is its file and that name. */
export function nodeOf(item: { id: string; uri?: { fsPath: string } }): string | undefined {
  const name = item.id.split("::").slice(1).join("::");
  return name && item.uri ? `${item.uri.fsPath}::${name}` : undefined;
}

async function begin(uri: vscode.Uri, what: object): Promise<void> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  await vscode.debug.startDebugging(folder, { type: TYPE, request: "launch", name: NAME, ...what });
}

/** Ask the session for what the protocol has no request for; it tells by an event where it stands then. */
async function ask(request: string, argument: object = {}): Promise<any> {
  const session = vscode.debug.activeDebugSession;
  if (session?.type !== TYPE) return undefined;
  try {
    return await session.customRequest(request, argument);
  } catch (error) {
    void vscode.window.showErrorMessage(`STRIPE: ${(error as Error).message}`);
    return undefined;
  }
}

async function toChange(request: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const range = editor && (editor.selection.isEmpty ? editor.document.getWordRangeAtPosition(editor.selection.active) : editor.selection);
  const value = editor && range && editor.document.getText(range);
  const expression = await vscode.window.showInputBox({ prompt: "The variable, or the expression", value });
  const told = expression && (await ask(request, { expression }));
  if (told && !told.found) void vscode.window.showInformationMessage(`STRIPE: No line changes what ${expression} holds there.`);
}

async function toFlow(request: string, key: string): Promise<void> {
  const told = await ask(request);
  if (!told) return;
  const items = told[key].map((each: { event: number; source: { name: string }; line: number; why: string }) => ({
    label: `${each.source.name}:${each.line}`,
    description: each.why,
    event: each.event,
  }));
  if (items.length === 0) void vscode.window.showInformationMessage("STRIPE: Nothing that the analysis sees.");
  const chosen = await vscode.window.showQuickPick<vscode.QuickPickItem & { event: number }>(items);
  if (chosen) await ask("stripe/jump", { event: chosen.event });
}

/** Beside each code lens of the server that explains a failure, one that debugs it backwards. */
export function withDebugLenses(lenses: vscode.CodeLens[]): vscode.CodeLens[] {
  const more = lenses.flatMap((lens) => {
    const asked = lens.command?.command === "stripe.why" ? lens.command.arguments?.[0] : undefined;
    if (!asked || asked.configuration) return []; // a configuration has arguments and input of its own
    return [new vscode.CodeLens(lens.range, { title: "Debug backwards", command: "stripe.debugTest", arguments: [asked] })];
  });
  return [...lenses, ...more];
}
