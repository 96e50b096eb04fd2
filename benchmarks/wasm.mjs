// Reads files by the kernel as WebAssembly again and again: the first line of standard input is a JSON list of paths, and
// for each further line it prints the processor seconds of a round.

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [web, built] = process.argv.slice(2).map((folder) => pathToFileURL(`${folder}/`));
const { Kernel } = await import(new URL("kernel.js", web));
const kernel = await Kernel.load({
  kernelBytes: await readFile(new URL("kernel.wasm", built)),
  rules: JSON.parse(await readFile(new URL("rules.json", built), "utf8")),
  grammar: (name) => readFile(new URL(`grammars/${name}.wasm`, built)),
});
let files = null;
for await (const line of createInterface({ input: process.stdin })) {
  if (files === null) {
    files = await Promise.all(JSON.parse(line).map(async (path) => [path, new Uint8Array(await readFile(path))]));
    continue;
  }
  const begin = process.cpuUsage();
  for (const [path, bytes] of files) await kernel.read(path, bytes);
  const { user, system } = process.cpuUsage(begin);
  console.log((user + system) / 1e6);
}
