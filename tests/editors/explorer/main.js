// Offers the test explorer one failed test of pytest, as Microsoft's extension for Python does: by its ids, under its name.
const vscode = require("vscode");

exports.activate = () => {
  const controller = vscode.tests.createTestController("python-tests", "Python Tests");
  const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, "test_prices.py");
  const test = controller.createTestItem(`${uri.fsPath}::test_prices`, "test_prices", uri);
  controller.items.add(test);
  const run = controller.createTestRun(new vscode.TestRunRequest());
  run.failed(test, new vscode.TestMessage("assert 6 == 7"));
  run.end();
};
