// What a reader keeps in the browser's own storage: the chosen files, as one file, and a list of them.

import { archive, entryOf, source } from "./sources.js";

const FOLDER = "wherefrom-kept";
const LIST = "list.json";
const CONTENTS = "contents";

/** Whether this browser can keep files. */
export function canKeep() {
  return "storage" in navigator && "getDirectory" in navigator.storage
    && "createWritable" in (globalThis.FileSystemFileHandle?.prototype ?? {});
}

/**
 * Keeps sources instead of those that were kept before. Files that are larger than `most` bytes are left out.
 * @param {{source: import("./sources.js").Source, role: string}[]} sources
 * @throws {DOMException} the browser has no room, or refuses
 */
export async function keep(sources, most) {
  await forget();
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER, { create: true });
  const contents = await (await folder.getFileHandle(CONTENTS, { create: true })).createWritable();
  let at = 0;
  const place = ({ size }) => {
    at += size;
    return { at: at - size, size };
  };
  const list = [];
  for (const { source: { name, kind, entries, blob }, role } of sources) {
    if (kind === "archive") {
      list.push({ name, kind, role, ...place(blob) });
      await contents.write(blob);
    } else {
      const files = entries.filter((entry) => entry.blob && entry.size <= most);
      list.push({ name, kind, role, files: files.map((entry) => ({ path: entry.path, ...place(entry.blob) })) });
      await contents.write(new Blob(files.map((entry) => entry.blob)));
    }
  }
  await contents.close();
  // The list is written last: without it, nothing is kept.
  const file = await (await folder.getFileHandle(LIST, { create: true })).createWritable();
  await file.write(JSON.stringify({ kept: new Date().toISOString(), bytes: at, sources: list }));
  await file.close();
}

/** When it was kept, how many bytes, and the names of the sources; null if nothing is kept. */
export async function kept() {
  const found = await stored();
  return found && { kept: found.list.kept, bytes: found.list.bytes, names: found.list.sources.map(({ name }) => name) };
}

/** The kept sources with their roles; none if nothing is kept. */
export async function openKept() {
  const found = await stored();
  if (found === null) return [];
  const { contents, list } = found;
  const part = ({ at, size }) => contents.slice(at, at + size);
  return Promise.all(list.sources.map(async ({ name, kind, role, files, ...place }) => ({
    role,
    source: kind === "archive"
      ? await archive(part(place), name)
      : source(name, kind, files.map((file) => entryOf(part(file), file.path))),
  })));
}

/** Removes what is kept. */
export async function forget() {
  try {
    await (await navigator.storage.getDirectory()).removeEntry(FOLDER, { recursive: true });
  } catch (error) {
    if (error.name !== "NotFoundError") throw error;
  }
}

async function stored() {
  try {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER);
    const list = await (await folder.getFileHandle(LIST)).getFile();
    const contents = await (await folder.getFileHandle(CONTENTS)).getFile();
    return { list: JSON.parse(await list.text()), contents };
  } catch (error) {
    if (error.name === "NotFoundError" || error instanceof SyntaxError) return null;
    throw error;
  }
}
