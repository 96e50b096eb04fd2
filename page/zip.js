// Reads zip archives in place: the list of their files first, then each file as it is needed. Nothing is trusted.

/** Something that cannot be read as a whole; the message says why, and what to do. */
export class SourceProblem extends Error {}

/** The largest list of files, in bytes: about 100,000 files. */
const DIRECTORY_BYTES = 16_000_000;

/** The most bytes that all archives of a comparison may unpack to. */
export const UNPACKED_BYTES = 4_000_000_000;

const END_BYTES = 22 + 0xffff + 20; // the end record, its longest comment, the locator of zip64
const STORED = 0;
const DEFLATED = 8;
const SYMLINK = 0o120000;
const REGULAR = 0o100000;
const WINDOWS = new Set([0, 10]); // the systems FAT and NTFS

/** The characters of code page 437 from 0x80 on: names in zips of Windows that are not UTF-8. */
const CODE_PAGE = [
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐",
  "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0",
].join("");

const CRC = new Uint32Array(256).map((_, number) => {
  let value = number;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function checksum(bytes) {
  let value = 0xffffffff;
  for (let at = 0; at < bytes.length; at++) value = CRC[(value ^ bytes[at]) & 0xff] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

/**
 * The files in a zip. Of several with one path the last counts, as after unpacking.
 * @param {Blob} blob
 * @param {string} name  for messages
 * @returns {Promise<import("./sources.js").Entry[]>}
 */
export async function zipEntries(blob, name) {
  const broken = (why) => new SourceProblem(`${name} cannot be read as a zip: ${why}; pack it again`);
  const { at, size, count } = await directoryPlace(blob, broken);
  if (size > DIRECTORY_BYTES) throw broken("it has too many files");
  if (at + size > blob.size) throw broken("its list of files is cut off");
  const view = new DataView(await blob.slice(at, at + size).arrayBuffer());
  const found = new Map();
  let offset = 0;
  for (let number = 0; number < count; number++) {
    if (offset + 46 > size || view.getUint32(offset, true) !== 0x02014b50) throw broken("its list of files is damaged");
    const lengths = [28, 30, 32].map((field) => view.getUint16(offset + field, true));
    const end = offset + 46 + lengths[0] + lengths[1] + lengths[2];
    if (end > size) throw broken("its list of files is damaged");
    const fullName = nameText(new Uint8Array(view.buffer, offset + 46, lengths[0]), view.getUint8(offset + 5));
    const path = relative(fullName);
    if (!fullName.endsWith("/") && path) {
      found.delete(path);
      found.set(path, member(blob, view, offset, path));
    }
    offset = end;
  }
  return [...found.values()];
}

/** The place of the list of files, with the number of files. */
async function directoryPlace(blob, broken) {
  const start = Math.max(0, blob.size - END_BYTES);
  const view = new DataView(await blob.slice(start).arrayBuffer());
  let end = view.byteLength - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) throw broken("its end is missing");
  const count = view.getUint16(end + 10, true);
  const size = view.getUint32(end + 12, true);
  const at = view.getUint32(end + 16, true);
  if (count !== 0xffff && size !== 0xffffffff && at !== 0xffffffff) return { at, size, count };
  if (end < 20 || view.getUint32(end - 20, true) !== 0x07064b50) return { at, size, count };
  const place = Number(view.getBigUint64(end - 12, true));
  const record = new DataView(await blob.slice(place, place + 56).arrayBuffer());
  if (record.byteLength < 56 || record.getUint32(0, true) !== 0x06064b50) throw broken("its end is damaged");
  const [many, bytes, begin] = [32, 40, 48].map((field) => Number(record.getBigUint64(field, true)));
  return { at: begin, size: bytes, count: many };
}

/** The entry of a file, from its record in the list. */
function member(blob, view, offset, path) {
  const flags = view.getUint16(offset + 8, true);
  const method = view.getUint16(offset + 10, true);
  const crc = view.getUint32(offset + 16, true);
  const sizes = { packed: view.getUint32(offset + 20, true), size: view.getUint32(offset + 24, true) };
  sizes.at = view.getUint32(offset + 42, true);
  large(view, offset, sizes);
  const kind = (view.getUint32(offset + 38, true) >>> 16) & 0o170000;
  let skip = null;
  if (kind === SYMLINK) skip = "symlink";
  else if (kind !== 0 && kind !== REGULAR) skip = "unreadable";
  else if (flags & 1) skip = "encrypted";
  const read = async (most, budget = { left: Infinity }) => {
    if (sizes.size > most) return "too_large";
    const content = await unpacked(blob, sizes, method, most, budget);
    if (typeof content === "string") return content;
    return content.length === sizes.size && checksum(content) === crc ? content : "unreadable";
  };
  return { path, size: sizes.size, skip, read };
}

/** Takes sizes of more than four gigabytes from the further field of zip64. */
function large(view, offset, sizes) {
  let at = offset + 46 + view.getUint16(offset + 28, true);
  const end = at + view.getUint16(offset + 30, true);
  while (at + 4 <= end) {
    const next = at + 4 + view.getUint16(at + 2, true);
    if (view.getUint16(at, true) === 1) {
      let field = at + 4;
      for (const name of ["size", "packed", "at"]) {
        if (sizes[name] === 0xffffffff && field + 8 <= Math.min(next, end)) {
          sizes[name] = Number(view.getBigUint64(field, true));
          field += 8;
        }
      }
      return;
    }
    at = next;
  }
}

/**
 * The content of a file, or why it cannot be read. It ends as soon as there are more than `most` bytes, or more than the
 * budget has. What was unpacked is taken from the budget, also if the file then cannot be used.
 */
async function unpacked(blob, { packed, at }, method, most, budget) {
  if (method !== STORED && method !== DEFLATED) return "unreadable";
  try {
    const head = new DataView(await blob.slice(at, at + 30).arrayBuffer());
    if (head.byteLength < 30 || head.getUint32(0, true) !== 0x04034b50) return "unreadable";
    const begin = at + 30 + head.getUint16(26, true) + head.getUint16(28, true);
    const stream = blob.slice(begin, begin + packed).stream();
    const content = method === STORED ? stream : stream.pipeThrough(new DecompressionStream("deflate-raw"));
    return await bounded(content, most, budget);
  } catch {
    return "unreadable";
  }
}

/** The bytes of a stream, or "too_large" if there are more than `most`, or more than the budget has. */
export async function bounded(stream, most, budget) {
  const reader = stream.getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    budget.left -= value.length;
    if (size > most || budget.left < 0) {
      await reader.cancel();
      return "too_large";
    }
    parts.push(value);
  }
  const content = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    content.set(part, offset);
    offset += part.length;
  }
  return content;
}

/** A name as text, with "/" between its parts. The flag that says UTF-8 is often missing, so the bytes decide. */
function nameText(bytes, system) {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    text = Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : CODE_PAGE[byte - 0x80])).join("");
  }
  return WINDOWS.has(system) && !text.includes("/") ? text.replaceAll("\\", "/") : text;
}

/** The path of a file without a leading "/", empty parts and ".". A ".." may stay: nothing is written anywhere. */
export function relative(path) {
  return path.split("/").filter((part) => part !== "" && part !== ".").join("/");
}
