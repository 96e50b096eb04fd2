// Makes comparisons by the kernel as WebAssembly: for each line of standard input, a JSON object with what is to be
// compared, it prints a line with the result and what the progress was told. A text is a file (its path, and its bytes as
// base64) or a document (its token stream and terms as base64).

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [web, built] = process.argv.slice(2).map((folder) => pathToFileURL(`${folder}/`));
const { Kernel } = await import(new URL("kernel.js", web));
const { Comparison } = await import(new URL("comparison.js", web));
const kernelBytes = await readFile(new URL("kernel.wasm", built));
const rules = JSON.parse(await readFile(new URL("rules.json", built), "utf8"));
const grammar = (name) => readFile(new URL(`grammars/${name}.wasm`, built));
const analysis = await Kernel.load({ kernelBytes, rules, grammar });
const kernel = await Kernel.load({ kernelBytes, rules });

const bytesOf = (base64) => base64 && new Uint8Array(Buffer.from(base64, "base64"));

async function read({ path, bytes, stream, terms }) {
  if (stream) return { stream: bytesOf(stream), terms: terms.map(bytesOf), language: "markdown" };
  const made = await analysis.read(path, bytesOf(bytes));
  if (made.skipped) throw new Error(`${path} is skipped: ${made.skipped}`);
  return made;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { texts, template, submissions, options } = JSON.parse(line);
  const comparison = new Comparison(kernel, options);
  for (const text of template) comparison.addTemplate(await read(text));
  for (const text of texts) comparison.addText(await read(text));
  for (const submission of submissions) comparison.addSubmission(submission);
  const told = [];
  const result = comparison.run((stage, done, total) => told.push([stage, done, total]));
  console.log(JSON.stringify({ result, told }));
}
