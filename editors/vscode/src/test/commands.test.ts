import assert from "node:assert/strict";
import { test } from "node:test";
import { label, run, Place, Screen, Sides } from "../commands";

const RANGE = { start: { line: 0, character: 0 }, end: { line: 4, character: 0 } };
const PLACE: Place = { repository: "github.com/a/b", path: "c.py", first_line: 1, last_line: 4, licenses: "MIT" };
const SIDES: Sides = { left: "file:///a", right: "file:///b", title: "a" };

interface Seen {
  calls: unknown[][];
  diffs: Sides[];
  messages: string[];
}

async function ran(command: string, args: unknown[], places: Place[] = [PLACE], reason?: string): Promise<Seen> {
  const seen: Seen = { calls: [], diffs: [], messages: [] };
  const screen: Screen = {
    active: () => ({ uri: "file:///a", range: RANGE }),
    choose: async (all) => all[0],
    ask: async () => reason,
    say: (message) => void seen.messages.push(message),
    diff: async (sides) => void seen.diffs.push(sides),
  };
  const next = async (name: string, given: unknown[]) => {
    seen.calls.push([name, ...given]);
    return name === "wherefrom.whereElse" ? { places, more: 0 } : name === "wherefrom.compare" ? SIDES : null;
  };
  await run(command, args, next, screen);
  return seen;
}

test("a selection is looked up, and the chosen place is compared", async () => {
  const seen = await ran("wherefrom.whereElse", []);
  assert.deepEqual(seen.calls, [
    ["wherefrom.whereElse", "file:///a", RANGE],
    ["wherefrom.compare", "file:///a", RANGE, PLACE],
  ]);
  assert.deepEqual(seen.diffs, [SIDES]);
  assert.equal(label(PLACE), "github.com/a/b c.py:1-4");
});

test("nothing is compared if the code is nowhere else", async () => {
  const seen = await ran("wherefrom.whereElse", [], []);
  assert.deepEqual(seen.diffs, []);
  assert.deepEqual(seen.messages, ["This code is not found elsewhere."]);
});

test("a code lens names the place, so no search is needed", async () => {
  const seen = await ran("wherefrom.insertCredit", ["file:///a", RANGE, PLACE]);
  assert.deepEqual(seen.calls, [["wherefrom.insertCredit", "file:///a", RANGE, PLACE]]);
});

test("an acceptance needs a reason", async () => {
  const given = ["file:///a", RANGE, PLACE];
  assert.deepEqual((await ran("wherefrom.accept", given)).calls, []);
  assert.deepEqual((await ran("wherefrom.accept", given, [PLACE], "mine")).calls, [
    ["wherefrom.accept", ...given, "mine"],
  ]);
});

test("a check is about the active file", async () => {
  assert.deepEqual((await ran("wherefrom.check", [])).calls, [["wherefrom.check", "file:///a"]]);
});
