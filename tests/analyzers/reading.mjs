// Reads files by the kernel as WebAssembly: for each line of standard input, a JSON object with a path, the bytes as
// base64 and perhaps limits or a language, it prints a line with what `Kernel.read` gives.

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [web, built] = process.argv.slice(2).map((folder) => pathToFileURL(`${folder}/`));
const { Kernel } = await import(new URL("kernel.js", web));
const kernelBytes = await readFile(new URL("kernel.wasm", built));
const rules = JSON.parse(await readFile(new URL("rules.json", built), "utf8"));
const grammar = (name) => readFile(new URL(`grammars/${name}.wasm`, built));
const kernels = new Map();

async function kernel(limits) {
  const key = JSON.stringify(limits);
  if (!kernels.has(key)) kernels.set(key, await Kernel.load({ kernelBytes, rules, grammar, limits }));
  return kernels.get(key);
}

const base64 = (bytes) => bytes && Buffer.from(bytes).toString("base64");

for await (const line of createInterface({ input: process.stdin })) {
  const { path, bytes, limits = {}, language } = JSON.parse(line);
  const content = new Uint8Array(Buffer.from(bytes, "base64"));
  const found = await (await kernel(limits)).read(path, content, { language });
  console.log(JSON.stringify({ ...found, stream: base64(found.stream), terms: found.terms?.map(base64) }));
}
