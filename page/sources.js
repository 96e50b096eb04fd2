// Sources: what a reader dropped or chose, as lists of files that can be read one by one.

import { tarEntries } from "./tar.js";
import { SourceProblem, UNPACKED_BYTES, zipEntries } from "./zip.js";

/**
 * A file of a source.
 * @typedef {object} Entry
 * @property {string} path  its path in the source, with "/" between the parts
 * @property {number} size  bytes
 * @property {?string} skip  why it cannot be read: a name of `SkipReason`
 * @property {(most: number, budget?: {left: number}) => Promise<Uint8Array | string>} read  its content, or why it
 *   cannot be read; a content of more than `most` bytes is "too_large". A file in an archive takes what it unpacks from
 *   the bytes of `budget`, and is "too_large" if they do not suffice.
 * @property {Blob} [blob]  the file itself, unless it is in an archive or cannot be read
 */

/**
 * A dropped folder, an archive, or the files that were dropped together.
 * @typedef {object} Source
 * @property {string} name
 * @property {"folder" | "archive" | "files"} kind
 * @property {Entry[]} entries  by path; the files of an archive in it are below the path of the archive
 * @property {Entry[]} files  the same without the archives opened
 * @property {Blob} [blob]  the archive itself
 */

const VERSION_CONTROL = new Set([".git", ".hg", ".svn"]);

/** What macOS adds to folders and archives. */
const OF_MACOS = /(?:^|\/)\.DS_Store$|^__MACOSX\/(?:.*\/)?\._[^/]*$/s;

/** For each path, at most this many folders are looked at: a hostile path can have 30,000. */
const DEEPEST = 64;

/** An archive is opened if at most this many archives are around it. */
const DEEPEST_ARCHIVE = 3;

/** An archive in another one is opened if it has at most this many bytes. */
const ARCHIVE_BYTES = 50_000_000;

const ZIP = /\.(?:zip|jar|whl)$/i;
const TAR = /\.(?:tar|tar\.gz|tgz)$/i;

/** Archives that are opened only if at most one folder is around them. Deeper ones are rather libraries. */
const LIBRARY = /\.(?:jar|whl)$/i;

/** The most files of all sources together. */
export const MOST_FILES = 200_000;

/** Compares texts by code points, as Python does. */
export function byCodePoints(left, right) {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  return (left.codePointAt(at) ?? -1) - (right.codePointAt(at) ?? -1);
}

/**
 * What was dropped. It has to be called while the event is handled; afterwards the browser hides the items.
 * @param {DataTransfer} transfer
 * @returns {Promise<Source[]>}
 */
export function dropped(transfer) {
  const items = [...transfer.items].filter((item) => item.kind === "file");
  const found = items.map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile());
  return sourcesOf(found.filter((item) => item !== null));
}

/**
 * The sources in chosen files; those of a folder have their path in `webkitRelativePath`.
 * @param {Iterable<File>} files
 * @returns {Promise<Source[]>}
 */
export async function chosen(files) {
  const folders = new Map();
  const others = [];
  for (const file of files) {
    const [folder, ...rest] = (file.webkitRelativePath ?? "").split("/");
    if (rest.length === 0) {
      others.push(file);
    } else if (!rest.some((part) => VERSION_CONTROL.has(part))) {
      if (!folders.has(folder)) folders.set(folder, []);
      folders.get(folder).push(entryOf(file, rest.join("/")));
    }
  }
  const found = [];
  for (const [name, entries] of folders) found.push(await source(name, "folder", entries));
  return [...found, ...await sourcesOf(others)];
}

/** The sources in files and in entries of the browser's file system. */
async function sourcesOf(items) {
  const found = [];
  const files = [];
  for (const item of items) {
    if (item.isDirectory) {
      const entries = [];
      await walk(item, "", entries);
      found.push(await source(item.name, "folder", entries));
      continue;
    }
    const file = item.isFile ? await fileOf(item) : item;
    if (file === null) files.push(skippedEntry(item.name, "unreadable"));
    else if (isOpened(file.name)) found.push(await archive(file));
    else files.push(entryOf(file, file.name));
  }
  return files.length ? [...found, await source("files", "files", files)] : found;
}

/** An archive as a source. @param {Blob} file @param {string} name */
export async function archive(file, name = file.name) {
  return { ...await source(name, "archive", await archiveEntries(file, name)), blob: file };
}

/** A source, without the data of git and macOS, sorted by path; archives in it are opened. */
export async function source(name, kind, all) {
  const files = shownOf(all);
  const entries = kind === "files" ? files : await opened(files, 0, "", { left: UNPACKED_BYTES });
  if (entries.length > MOST_FILES) {
    throw new SourceProblem(`${name} has more than ${MOST_FILES.toLocaleString("en")} files; choose a smaller folder`);
  }
  return { name, kind, entries: entries.sort((a, b) => byCodePoints(a.path, b.path)), files };
}

/** The entries without the data of git and macOS. */
function shownOf(entries) {
  const shown = entries.filter(({ path }) => (
    !OF_MACOS.test(path) && !path.split("/").some((part) => VERSION_CONTROL.has(part))
  ));
  return withoutRepositories(shown);
}

/** Whether an archive at a path in a source is opened, by its name. */
function isOpened(path) {
  const isShallow = path.split("/").length <= 2;
  return TAR.test(path) || (ZIP.test(path) && (isShallow || !LIBRARY.test(path)));
}

const archiveEntries = (file, name) => (
  TAR.test(name) ? tarEntries(file, name, MOST_FILES) : zipEntries(file, name)
);

/** The entries with the files of archives in the places of these. */
async function opened(entries, depth, above, budget) {
  const found = [];
  for (const entry of entries) {
    const path = above + entry.path;
    if (entry.skip !== null || !isOpened(path)) found.push({ ...entry, path });
    else if (depth >= DEEPEST_ARCHIVE) found.push(skippedEntry(path, "archive", entry.size));
    else for (const file of await inner(entry, path, depth, budget)) found.push(file);
    if (found.length > MOST_FILES) break;
  }
  return found;
}

/** The files of an archive in a source; an archive that cannot be read, or has none, is one entry that is skipped. */
async function inner(entry, path, depth, budget) {
  const content = entry.blob ?? await entry.read(ARCHIVE_BYTES, budget);
  if (typeof content === "string") return [skippedEntry(path, content, entry.size)];
  try {
    const listed = shownOf(await archiveEntries(content instanceof Blob ? content : new Blob([content]), path));
    const files = await opened(listed, depth + 1, `${path}/`, budget);
    return files.length ? files.map((file) => ({ ...file, blob: undefined })) : [skippedEntry(path, "empty", entry.size)];
  } catch (error) {
    if (!(error instanceof SourceProblem)) throw error;
    return [skippedEntry(path, "unreadable", entry.size)];
  }
}

/** A file as an entry. @returns {Entry} */
export function entryOf(file, path) {
  const read = async (most) => {
    if (file.size > most) return "too_large";
    try {
      return new Uint8Array(await file.arrayBuffer());
    } catch {
      return "unreadable";
    }
  };
  return { path, size: file.size, skip: null, read, blob: file };
}

/** A file that cannot be read. @returns {Entry} */
export function skippedEntry(path, skip, size = 0) {
  return { path, size, skip, read: async () => skip };
}

async function walk(folder, above, entries) {
  const { found, isWhole } = await listing(folder);
  if (!isWhole) entries.push(skippedEntry(above.slice(0, -1) || folder.name, "unreadable"));
  for (const item of found) {
    const path = above + item.name;
    if (item.isDirectory) {
      if (!VERSION_CONTROL.has(item.name)) await walk(item, `${path}/`, entries);
    } else {
      const file = await fileOf(item);
      entries.push(file === null ? skippedEntry(path, "unreadable") : entryOf(file, path));
    }
    if (entries.length > MOST_FILES) return;
  }
}

/** What is in a folder, and whether that is all. The browser gives at most a hundred at a time. */
async function listing(folder) {
  const reader = folder.createReader();
  const found = [];
  for (;;) {
    const items = await new Promise((resolve) => reader.readEntries(resolve, () => resolve(null)));
    if (!items?.length) return { found, isWhole: items !== null };
    found.push(...items);
  }
}

function fileOf(item) {
  return new Promise((resolve) => item.file(resolve, () => resolve(null)));
}

/** The entries without bare git repositories: each is one entry that is skipped, since its files are no code. */
function withoutRepositories(entries) {
  const paths = new Set(entries.map((entry) => entry.path));
  const likely = new Set();
  for (const path of paths) {
    const folder = path.endsWith("/HEAD") ? path.slice(0, -"/HEAD".length) : "";
    if (folder && paths.has(`${folder}/config`)) likely.add(folder);
  }
  if (likely.size === 0) return entries;
  const repositories = new Set();
  for (const path of paths) {
    for (const folder of foldersOf(path)) {
      if (likely.has(folder) && path.startsWith("objects/", folder.length + 1)) repositories.add(folder);
    }
  }
  const rest = entries.filter(({ path }) => !foldersOf(path).some((folder) => repositories.has(folder)));
  return [...rest, ...[...repositories].map((path) => skippedEntry(path, "submodule"))];
}

/** The folders above a file, the outermost first, at most `DEEPEST`. */
function foldersOf(path) {
  const found = [];
  for (let end = path.indexOf("/"); end >= 0 && found.length < DEEPEST; end = path.indexOf("/", end + 1)) {
    found.push(path.slice(0, end));
  }
  return found;
}
