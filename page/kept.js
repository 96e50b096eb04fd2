// What a reader keeps in the browser's own storage. Each time it is kept, a new folder gets the chosen files, as one file,
// and then a list of them. Without its list a folder does not count, so the files that were kept before stay until then.

import { archive, entryOf, skippedEntry, source } from "./sources.js";

const FOLDER = "wherefrom-kept";
const LIST = "list.json";
const CONTENTS = "contents";

/** Whether this browser can keep files. */
export function canKeep() {
  return "storage" in navigator && "getDirectory" in navigator.storage
    && "createWritable" in (globalThis.FileSystemFileHandle?.prototype ?? {});
}

/**
 * Keeps sources instead of those that were kept before. Of files that are larger than `most` bytes, only the names are
 * kept.
 * @param {{source: import("./sources.js").Source, role: string}[]} sources
 * @throws {Error} a file cannot be read, or the browser has no room, or refuses
 */
export function keep(sources, most) {
  return alone(async () => {
    const all = await (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER, { create: true });
    const number = 1 + Math.max(0, ...(await numbersOf(all)));
    try {
      await write(await all.getDirectoryHandle(`${number}`, { create: true }), sources, most);
    } catch (error) {
      if (!["NotFoundError", "NotReadableError"].includes(error.name)) throw error;
      throw new Error("a file was changed or removed since it was chosen, so nothing new is kept; choose the files again");
    } finally {
      await clean(all);
    }
  });
}

async function write(folder, sources, most) {
  const contents = await (await folder.getFileHandle(CONTENTS, { create: true })).createWritable();
  let at = 0;
  const place = ({ size }) => {
    at += size;
    return { at: at - size, size };
  };
  const list = [];
  try {
    for (const { source: { name, kind, files: entries, blob }, role } of sources) {
      if (kind === "archive") {
        list.push({ name, kind, role, ...place(blob) });
        await contents.write(blob);
      } else {
        const isKept = ({ skip, size }) => skip === null && size <= most;
        const files = entries.map((entry) => (isKept(entry) ? { path: entry.path, ...place(entry.blob) }
          : { path: entry.path, size: entry.size, skip: entry.skip ?? "too_large" }));
        list.push({ name, kind, role, files });
        await contents.write(new Blob(entries.filter(isKept).map((entry) => entry.blob)));
      }
    }
  } catch (error) {
    await contents.abort(); // otherwise the folder cannot be removed
    throw error;
  }
  await contents.close();
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
    isKept: true,
    source: kind === "archive" ? await archive(part(place), name) : await source(name, kind, files.map((file) => (
      file.skip ? skippedEntry(file.path, file.skip, file.size) : entryOf(part(file), file.path)
    ))),
  })));
}

/** Removes what is kept. */
export function forget() {
  return alone(async () => {
    try {
      await (await navigator.storage.getDirectory()).removeEntry(FOLDER, { recursive: true });
    } catch (error) {
      if (error.name !== "NotFoundError") throw error;
    }
  });
}

/** What is kept, without what a closed tab left behind. */
function stored() {
  return alone(async () => {
    try {
      const all = await (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER);
      return await clean(all);
    } catch (error) {
      if (error.name === "NotFoundError") return null;
      throw error;
    }
  });
}

/** Does something while no other tab keeps or removes files. */
const alone = (action) => navigator.locks.request(FOLDER, action);

/** Removes all folders except the newest complete one. Returns what that folder has, or null if there is none. */
async function clean(all) {
  let newest = null;
  for (const number of (await numbersOf(all)).sort((one, other) => other - one)) {
    const found = newest === null ? await read(await all.getDirectoryHandle(`${number}`)) : null;
    newest ??= found;
    // If a browser refuses, it is tried again the next time.
    if (found === null) await all.removeEntry(`${number}`, { recursive: true }).catch(() => {});
  }
  return newest;
}

/** The numbers that are the names of the folders; a newer one has a higher number. */
async function numbersOf(all) {
  const found = [];
  for await (const name of all.keys()) found.push(Number(name));
  return found;
}

/** What a folder has; null if it is not complete. */
async function read(folder) {
  try {
    const list = await (await folder.getFileHandle(LIST)).getFile();
    const contents = await (await folder.getFileHandle(CONTENTS)).getFile();
    return { list: JSON.parse(await list.text()), contents };
  } catch (error) {
    if (error.name === "NotFoundError" || error instanceof SyntaxError) return null;
    throw error;
  }
}
