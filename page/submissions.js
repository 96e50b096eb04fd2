// Submissions: which files of the sources belong together, as `wherefrom compare` takes them.

import { byCodePoints } from "./sources.js";

const ROLES = ["submission", "archive"];

/**
 * The submissions in sources, by role, then name; the files of each by path.
 * @param {{source: import("./sources.js").Source, role: string}[]} sources
 * @param {"file" | "folder" | "repository"} by
 * @returns {{name: string, role: string, files: {path: string, place: string,
 *   entry: import("./sources.js").Entry}[]}[]} the place of a file is its path for a reader
 */
export function submissionsOf(sources, by) {
  const compared = sources.filter(({ role }) => ROLES.includes(role));
  const labels = labelsOf(compared.map(({ source }) => source.name));
  const found = new Map();
  const submission = (name, role) => {
    const key = `${ROLES.indexOf(role)}${name}`;
    if (!found.has(key)) found.set(key, { name, role, files: [] });
    return found.get(key);
  };
  compared.forEach(({ source, role }, number) => {
    const label = compared.length === 1 && by !== "repository" ? "" : labels[number];
    if (by === "repository") submission(label, role); // also without files
    for (const entry of source.entries) {
      const inner = by === "folder" ? entry.path.split("/", 1)[0] : entry.path;
      const name = by === "repository" ? label : [label, inner].filter(Boolean).join("/");
      const place = [label, entry.path].filter(Boolean).join("/");
      submission(name, role).files.push({ path: entry.path, source: number, entry, place });
    }
  });
  const order = (left, right) => left.source - right.source || byCodePoints(left.path, right.path);
  for (const { files } of found.values()) files.sort(order);
  return [...found].sort(([left], [right]) => byCodePoints(left, right)).map(([, one]) => one);
}

/** The likeliest meaning of a submission, for what was dropped. */
export function likelyUnit(sources) {
  const own = sources.filter(({ role }) => role === "submission").map(({ source }) => source);
  if (own.filter(({ kind }) => kind !== "files").length > 1) return "repository";
  const folders = new Set();
  for (const { entries } of own) {
    for (const { path } of entries) if (path.includes("/")) folders.add(path.split("/", 1)[0]);
  }
  return folders.size > 1 ? "folder" : "file";
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
