/** What the commands of the server need from the user, and what to show of their answers. */

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface Place {
  repository: string;
  path: string;
  first_line: number;
  last_line: number;
  licenses: string;
}

export interface Found {
  places: Place[];
  more: number;
}

export interface Sides {
  left: string;
  right: string;
  title: string;
}

/** The editor, as far as the commands use it. */
export interface Screen {
  /** The file and the selection of the active editor. */
  active(): { uri: string; range: Range } | undefined;
  choose(places: Place[], title: string): Promise<Place | undefined>;
  ask(question: string): Promise<string | undefined>;
  say(message: string): void;
  diff(sides: Sides): Promise<void>;
}

export type Next = (command: string, args: unknown[]) => Promise<unknown>;

const ABOUT_A_PLACE = ["wherefrom.compare", "wherefrom.insertCredit", "wherefrom.accept"];

/** Runs a command of the server. Without arguments, such as from the palette, it is about the selection. */
export async function run(command: string, given: unknown[], next: Next, screen: Screen): Promise<unknown> {
  let args = given;
  if (args.length === 0) {
    const active = screen.active();
    if (active === undefined) {
      screen.say("Open a file first.");
      return undefined;
    }
    args = command === "wherefrom.check" ? [active.uri] : [active.uri, active.range];
  }
  if (ABOUT_A_PLACE.includes(command) && args.length === 2) {
    const place = command === "wherefrom.accept" ? null : await chosen(args, next, screen);
    if (place === undefined) {
      return undefined;
    }
    args = [...args, place];
  }
  if (command === "wherefrom.accept" && args.length === 3) {
    const reason = await screen.ask("Why is this code fine as it is?");
    if (reason === undefined || reason.trim() === "") {
      return undefined;
    }
    args = [...args, reason];
  }
  if (command === "wherefrom.whereElse") {
    const place = await chosen(args, next, screen);
    return place === undefined ? undefined : run("wherefrom.compare", [...args, place], next, screen);
  }
  const answer = await next(command, args);
  if (command === "wherefrom.compare") {
    await screen.diff(answer as Sides);
  }
  return answer;
}

/** The place that the user chooses of those where the code is. */
async function chosen(args: unknown[], next: Next, screen: Screen): Promise<Place | undefined> {
  const found = (await next("wherefrom.whereElse", args)) as Found | undefined;
  if (!found) {
    return undefined;
  }
  if (found.places.length === 0) {
    screen.say("This code is not found elsewhere.");
    return undefined;
  }
  const count = found.places.length + found.more;
  return screen.choose(found.places, count === 1 ? "1 place" : `${count} places`);
}

export function label(place: Place): string {
  return `${place.repository} ${place.path}:${place.first_line}-${place.last_line}`;
}
