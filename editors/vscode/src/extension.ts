import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";
import { label, run, Place, Screen, Sides } from "./commands";

let client: LanguageClient | undefined;

const screen: Screen = {
  active() {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) {
      return undefined;
    }
    const { start, end } = editor.selection;
    const range = {
      start: { line: start.line, character: start.character },
      end: { line: end.line, character: end.character },
    };
    return { uri: editor.document.uri.toString(), range };
  },
  async choose(places: Place[], title: string) {
    const items = places.map((place) => ({ label: label(place), description: place.licenses, place }));
    return (await vscode.window.showQuickPick(items, { title }))?.place;
  },
  async ask(question: string) {
    return vscode.window.showInputBox({ prompt: question });
  },
  say(message: string) {
    void vscode.window.showInformationMessage(message);
  },
  async diff({ left, right, title }: Sides) {
    await vscode.commands.executeCommand("vscode.diff", vscode.Uri.parse(left), vscode.Uri.parse(right), title);
  },
};

/** The value of a setting; in a workspace that is not trusted, VS Code gives that of the user (package.json). */
function setting(name: string): string {
  return vscode.workspace.getConfiguration("wherefrom").get<string>(name, "").trim();
}

/** The user's own index: the settings of a workspace reach the server only if the workspace is trusted. */
function ownIndex(): string[] {
  const index = vscode.workspace.getConfiguration("wherefrom").inspect<string>("index")?.globalValue?.trim();
  return index ? ["--index", index] : [];
}

async function start(): Promise<void> {
  const server: ServerOptions = { command: setting("command") || "wherefrom", args: ["lsp", ...ownIndex()] };
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: "file" }, { scheme: "untitled" }],
    initializationOptions: { trusted: vscode.workspace.isTrusted, diff: true },
    synchronize: { configurationSection: "wherefrom" },
    middleware: {
      executeCommand: (command, args, next) => run(command, args, async (name, given) => next(name, given), screen),
    },
  };
  client = new LanguageClient("wherefrom", "wherefrom", server, options);
  await client.start();
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.workspace.onDidGrantWorkspaceTrust(async () => {
      await client?.dispose();
      await start();
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.dispose();
}
