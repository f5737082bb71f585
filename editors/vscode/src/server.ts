// Can the server be started? Knows nothing of VS Code.

import { execFile } from "node:child_process";

const PATIENCE = 60_000;

/**
 * Why `command lsp` cannot be started, and what to do about it; undefined if it can.
 *
 * The server is started with nothing to read: it ends at once, and well, if all it needs is there.
 */
export function complaint(command: string, cwd: string | undefined): Promise<string | undefined> {
  return new Promise((resolve) => {
    const done = (error: (Error & { code?: string | number | null }) | null, stderr: string) => {
      if (error === null) resolve(undefined);
      else if (error.code === "ENOENT") resolve(notFound(command));
      else if (error.code === "EACCES") resolve(`STRIPE: '${command}' is not executable. Set stripe.command to the command stripe.`);
      else resolve(`STRIPE: '${command} lsp' does not start. ${oneLine(stderr) || error.message}`);
    };
    try {
      const options = { cwd, timeout: PATIENCE };
      const child = execFile(command, ["lsp", "--stdio"], options, (error, _, stderr) => done(error, stderr));
      child.stdin?.on("error", () => {}); // it may have ended before it was told that there is nothing
      child.stdin?.end();
    } catch (error) {
      done(error as Error, ""); // an empty name, for one
    }
  });
}

function notFound(command: string): string {
  return (
    `STRIPE: the command '${command}' was not found. Install it from a checkout with ` +
    "`uv tool install '.[lsp]'` or `pipx install '.[lsp]'`, or set stripe.command to its full path: " +
    "an editor that was not started from a terminal may not have the PATH you have there."
  );
}

function oneLine(text: string): string {
  return text.trim().split(/\s+/).join(" ").slice(-600);
}
