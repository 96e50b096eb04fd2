// Reads tar archives in place, plain or packed with gzip. Nothing is trusted.

import { SourceProblem, UNPACKED_BYTES, bounded, relative } from "./zip.js";

const BLOCK = 512;
const HEADER_BYTES = 1_000_000;
const text = new TextDecoder();

/**
 * The files in a tar. Of several with one path the last counts, as after unpacking.
 * @param {Blob} packed
 * @param {string} name  for messages
 * @param {number} mostFiles
 * @returns {Promise<import("./sources.js").Entry[]>}
 */
export async function tarEntries(packed, name, mostFiles) {
  const broken = (why) => new SourceProblem(`${name} cannot be read as a tar: ${why}; pack it again`);
  const blob = await unpacked(packed, broken);
  const found = new Map();
  let longName = "";
  for (let at = 0; at + BLOCK <= blob.size;) {
    const header = new Uint8Array(await blob.slice(at, at + BLOCK).arrayBuffer());
    if (header.every((byte) => byte === 0)) break;
    const size = numberOf(header.subarray(124, 136));
    if (text.decode(header.subarray(257, 262)) !== "ustar" || !(size >= 0)) throw broken("a header is damaged");
    const begin = at + BLOCK;
    const end = begin + size;
    if (end > blob.size) throw broken("it is cut off");
    const type = String.fromCharCode(header[156] || 0x30);
    if (type === "x" || type === "L") {
      if (size > HEADER_BYTES) throw broken("a header is too long");
      const content = new Uint8Array(await blob.slice(begin, end).arrayBuffer());
      longName = type === "L" ? ended(content) : pathOf(content) ?? longName;
    } else if (type !== "g") {
      const prefix = header[263] === 0 && header[264] === 0x30 ? ended(header.subarray(345, 500)) : "";
      const path = relative(longName || (prefix && `${prefix}/`) + ended(header.subarray(0, 100)));
      longName = "";
      if (type !== "5" && path) {
        found.delete(path);
        found.set(path, entry(blob.slice(begin, end), path, type));
        if (found.size > mostFiles) throw broken("it has too many files");
      }
    }
    at = begin + Math.ceil(size / BLOCK) * BLOCK;
  }
  return [...found.values()];
}

/** The tar without its packing. */
async function unpacked(blob, broken) {
  const [first, second] = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  if (first !== 0x1f || second !== 0x8b) return blob;
  try {
    const stream = blob.stream().pipeThrough(new DecompressionStream("gzip"));
    const content = await bounded(stream, UNPACKED_BYTES, { left: UNPACKED_BYTES });
    if (typeof content !== "string") return new Blob([content]);
  } catch {
    throw broken("its packing is damaged");
  }
  throw broken("it is too large");
}

function entry(content, path, type) {
  const skip = type === "0" || type === "7" ? null : type === "1" || type === "2" ? "symlink" : "unreadable";
  const read = async (most, budget = { left: Infinity }) => {
    if (content.size > most) return "too_large";
    budget.left -= content.size;
    return budget.left < 0 ? "too_large" : new Uint8Array(await content.arrayBuffer());
  };
  return { path, size: content.size, skip, read };
}

/** The text before the first zero. */
function ended(bytes) {
  const end = bytes.indexOf(0);
  return text.decode(end < 0 ? bytes : bytes.subarray(0, end));
}

/** A number in a header: octal digits, or bytes after a mark. */
function numberOf(field) {
  if (field[0] & 0x80) return field.subarray(1).reduce((sum, byte) => sum * 256 + byte, field[0] & 0x7f);
  return parseInt(ended(field).trim() || "0", 8);
}

/** The path in an extended header: records `LENGTH KEYWORD=VALUE` with a line end. */
function pathOf(content) {
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(0x20, at);
    const length = space < 0 ? NaN : parseInt(text.decode(content.subarray(at, space)), 10);
    if (!(length > 0)) return undefined;
    const record = text.decode(content.subarray(space + 1, at + length - 1));
    if (record.startsWith("path=")) return record.slice("path=".length);
    at += length;
  }
  return undefined;
}
