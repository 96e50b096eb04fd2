// Runs Dolos on a folder of files, as `peer_driver.py` runs the Python peers: a job as JSON on standard input, with
// `package` the folder of `@dodona/dolos-lib`; an answer as JSON on standard output.

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";

const job = JSON.parse(readFileSync(0, "utf8"));
const { Dolos } = await import(pathToFileURL(join(job.package, "dist", "index.js")).href);

const paths = (folder) =>
  folder === null
    ? []
    : readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
        .sort();

const isAll = job.queries === job.files; // every file with every other, each pair once
const queries = new Set(isAll ? [] : paths(job.queries));
const { score, ...options } = job.options;
const begin = process.cpuUsage();
const report = await new Dolos(options).analyzePaths([...queries, ...paths(job.files)]);
const scores = [];
if (isAll) {
  report.files.forEach((one, number) => {
    for (const other of report.files.slice(number + 1)) {
      const pair = report.getPair(one, other);
      if (pair[score] > 0) {
        scores.push([relative(job.files, one.path), relative(job.files, other.path), pair[score]]);
      }
    }
  });
}
for (const query of report.files.filter((file) => queries.has(file.path))) {
  for (const file of report.files.filter((file) => !queries.has(file.path))) {
    const pair = report.getPair(query, file);
    if (pair[score] > 0) {
      scores.push([relative(job.queries, query.path), relative(job.files, file.path), pair[score]]);
    }
  }
}
const used = process.cpuUsage(begin);
process.stdout.write(JSON.stringify({ seconds: (used.user + used.system) / 1e6, scores }));
