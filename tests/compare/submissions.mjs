// Says what the page takes for submissions: for each line of standard input, a JSON object with paths and a unit, it
// prints a line with the unit that the page would choose, the submissions, what is left out, and the warnings.

import { readFile, readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [site, rulesFile] = process.argv.slice(2);
const page = (name) => import(new URL(name, pathToFileURL(`${site}/`)));
const { chosen } = await page("sources.js");
const { leftOut, likelyUnit, setRules, submissionsOf } = await page("submissions.js");
const { Reading } = await page("reading.js");
const rules = JSON.parse(await readFile(rulesFile, "utf8"));
const limits = { ...rules.limits, includeData: false, includeGenerated: false };
const reading = new Reading(rules);
setRules(rules);

async function fileAt(path, relative = "") {
  const file = new File([await readFile(path)], basename(path));
  Object.defineProperty(file, "webkitRelativePath", { value: relative });
  return file;
}

async function filesAt(path) {
  if (!(await stat(path)).isDirectory()) return [await fileAt(path)];
  const names = await readdir(path, { recursive: true });
  const found = [];
  for (const name of names) {
    const own = join(path, name);
    if (!(await stat(own)).isDirectory()) found.push(await fileAt(own, join(basename(path), name)));
  }
  return found;
}

async function reasonOf({ path, entry }) {
  const reason = entry.skip ?? reading.nameReason(path, limits);
  if (reason !== null) return reason;
  const content = await entry.read(limits.maxFileSize);
  return typeof content === "string" ? content : reading.skipReason(path, content, limits);
}

for await (const line of createInterface({ input: process.stdin })) {
  const { paths, by } = JSON.parse(line);
  const sources = [];
  for (const path of paths) if ((await stat(path)).isDirectory()) sources.push(...await chosen(await filesAt(path)));
  const others = [];
  for (const path of paths) if (!(await stat(path)).isDirectory()) others.push(await fileAt(path));
  if (others.length) sources.push(...await chosen(others));
  const given = sources.map((source) => ({ source, role: "submission" }));
  const submissions = submissionsOf(given, by);
  const reasons = new Map();
  for (const { files } of submissions) for (const file of files) reasons.set(file, await reasonOf(file));
  const names = {};
  const skipped = {};
  for (const { name, files } of submissions) {
    for (const file of files) {
      if (reasons.get(file) === null) names[name] = (names[name] ?? 0) + 1;
      else skipped[file.path] = reasons.get(file);
    }
  }
  const { warnings } = leftOut(submissions, (file) => reasons.get(file), by);
  console.log(JSON.stringify({ likely: likelyUnit(given), names, left_out: skipped, warnings }));
}
