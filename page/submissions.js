// Submissions: which files of the sources belong together, as `wherefrom compare` takes them.

import { byCodePoints } from "./sources.js";

const ROLES = ["submission", "archive"];
const NAMED = 5; // the submissions that a warning names

/** What an archive is called, also one that is not opened. */
let archiveEndings = [".zip"];

/** Takes the endings of archives from the rules of this version. */
export function setRules({ skips }) {
  archiveEndings = skips.archiveExtensions;
}

const isArchive = (name) => archiveEndings.some((ending) => name.toLowerCase().endsWith(ending));

/**
 * The submissions in sources, by role, then name; the files of each by path. `wherefrom/compare/submissions.py` decides
 * the same; one table of cases tests both.
 * @param {{source: import("./sources.js").Source, role: string}[]} sources
 * @param {"file" | "folder" | "repository"} by
 * @returns {{name: string, role: string, files: {path: string, place: string, rank: number,
 *   entry: import("./sources.js").Entry}[]}[]} the place of a file is its path for a reader, and its rank says when the
 *   command reads its source
 */
export function submissionsOf(sources, by) {
  const compared = sources.filter(({ role }) => ROLES.includes(role));
  const isApart = ({ source }) => by === "repository" && source.kind === "files";
  const names = compared.flatMap((given) => (
    isApart(given) ? given.source.entries.map(({ path }) => path) : [given.source.name]
  ));
  const labels = labelsOf(names);
  const found = new Map();
  const submission = (name, role) => {
    const key = `${ROLES.indexOf(role)}${name}`;
    if (!found.has(key)) found.set(key, { name, role, files: [] });
    return found.get(key);
  };
  const turn = (given) => 2 * ROLES.indexOf(given.role) + (given.source.kind !== "files");
  const read = [...compared].sort((one, other) => turn(one) - turn(other));
  let next = 0;
  compared.forEach((given, number) => {
    const { source, role } = given;
    const isOnly = compared.filter((other) => other.role === role).length === 1;
    const { packed, isWhole } = shapeOf(source, isOnly);
    const place = (entry, label) => ({
      path: entry.path.slice(packed.length),
      source: number,
      rank: read.indexOf(given),
      entry,
      place: [label, entry.path].filter(Boolean).join("/"),
    });
    if (isApart(given)) {
      for (const entry of source.entries) submission(labels[next++], role).files.push(place(entry, ""));
      return;
    }
    const own = labels[next++];
    const label = compared.length === 1 && by !== "repository" ? "" : own;
    if (by === "repository") submission(label, role); // also without files
    for (const entry of source.entries) {
      const path = entry.path.slice(packed.length);
      const inner = by === "folder" ? path.split("/", 1)[0] : path;
      const isOne = by === "repository" || (by === "folder" && isWhole);
      submission(isOne ? label : [label, inner].filter(Boolean).join("/"), role).files.push(place(entry, label));
    }
  });
  const order = (left, right) => left.source - right.source || byCodePoints(left.path, right.path);
  for (const { files } of found.values()) files.sort(order);
  return [...found].sort(([left], [right]) => byCodePoints(left, right)).map(([, one]) => one);
}

/** The folder around the hand-ins in an archive, and whether the archive is one submission, not one for each folder. */
function shapeOf({ kind, entries }, isOnly) {
  const paths = entries.map(({ path }) => path);
  const packed = around(paths);
  if (kind !== "archive" && !isArchive(packed.slice(0, -1))) return { packed: "", isWhole: false };
  const isLoose = paths.some((path) => !path.includes("/") && !isArchive(path));
  return { packed: isOnly ? packed : "", isWhole: !isOnly && isLoose };
}

/** The only folder at the top of these paths, with a slash at its end, if it has several folders; else empty. */
function around(paths) {
  const tops = new Set(paths.map((path) => path.slice(0, path.indexOf("/") + 1)));
  const [top] = tops;
  return tops.size === 1 && foldersIn(paths, top) > 1 ? top : "";
}

/** The number of folders directly below a folder of all paths. An archive counts as a folder, even if it is not opened. */
function foldersIn(paths, within) {
  const below = paths.map((path) => path.slice(within.length));
  return new Set(below.filter((path) => path.includes("/") || isArchive(path)).map((path) => path.split("/", 1)[0])).size;
}

/** The likeliest meaning of a submission, for what was dropped. */
export function likelyUnit(sources) {
  const own = sources.filter(({ role }) => role === "submission").map(({ source }) => source);
  const containers = own.filter(({ kind }) => kind !== "files").map(({ entries }) => entries.map(({ path }) => path));
  if (containers.length === 0) return "file";
  const isFilled = containers.some((paths) => foldersIn(paths, around(paths)) > 1);
  if (containers.length === 1 && (isFilled || own.length === 1)) return isFilled ? "folder" : "file";
  return "repository";
}

/**
 * What is said of submissions of which no file is compared, and whether the others make a pair.
 * @param {ReturnType<typeof submissionsOf>} submissions
 * @param {(file: object) => ?string} reasonOf  why a file is not compared; null if it is
 * @param {string} by
 */
export function leftOut(submissions, reasonOf, by) {
  const filled = submissions.filter(({ files }) => files.some((file) => reasonOf(file) === null));
  const own = filled.filter(({ role }) => role === "submission").length;
  const isEnough = own > (filled.length > own ? 0 : 1);
  const lost = submissions.filter((one) => !filled.includes(one));
  const shown = lost.slice(0, NAMED).map(({ name, files }) => {
    const counts = files.length ? {} : { empty: 1 };
    for (const file of files) counts[reasonOf(file)] = (counts[reasonOf(file)] ?? 0) + 1;
    const reasons = Object.keys(counts).sort().map((reason) => `${reason.replaceAll("_", " ")} ${counts[reason]}`);
    return `${name} (${reasons.join(", ")})`;
  });
  const listed = shown.join(", ") + (lost.length > NAMED ? ` and ${lost.length - NAMED} more` : "");
  if (!isEnough) {
    const read = filled.length ? `only ${filled[0].name} was read` : "no file was read";
    const rest = lost.length ? `; left out: ${listed}` : "";
    return { isEnough, warnings: [`there is nothing to compare: ${read}${rest}`] };
  }
  const isSaid = lost.length && by !== "file";
  return { isEnough, warnings: isSaid ? [`submissions without a file that is compared: ${listed}`] : [] };
}

/** The names, each made unique by a number. */
function labelsOf(names) {
  const taken = new Set();
  return names.map((name) => {
    let label = name;
    for (let number = 2; taken.has(label); number++) label = `${name} (${number})`;
    taken.add(label);
    return label;
  });
}
