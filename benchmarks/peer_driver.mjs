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

const queries = new Set(paths(job.queries));
const { score, ...options } = job.options;
const begin = process.cpuUsage();
const report = await new Dolos(options).analyzePaths([...queries, ...paths(job.files)]);
const scores = [];
if (queries.size > 0) {
  for (const pair of report.allPairs()) {
    const [left, right] = [pair.leftFile.path, pair.rightFile.path];
    if (queries.has(left) !== queries.has(right) && pair[score] > 0) {
      const [query, file] = queries.has(left) ? [left, right] : [right, left];
      scores.push([relative(job.queries, query), relative(job.files, file), pair[score]]);
    }
  }
}
const used = process.cpuUsage(begin);
process.stdout.write(JSON.stringify({ seconds: (used.user + used.system) / 1e6, scores }));
