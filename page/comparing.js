// The comparison in a worker of its own, which keeps the analyzed texts for further comparisons.

import { started } from "./workers.js";

/** A worker that compares. Call `stop` at the end; the texts are gone then. */
export class Comparing {
  constructor(kernel, rules) {
    this.isReady = false;
    this.failure = null;
    this.count = 0;
    this.run = null;
    this.worker = started("comparing-worker.js", (data) => this.heard(data), (why) => this.heard({ failed: why }));
    this.worker.postMessage({ setup: { kernel, rules } });
  }

  /** Hands over an analyzed text. @returns {number} its number */
  add({ stream, terms, language }) {
    const arrays = [stream, ...terms].filter((array) => array !== null);
    this.worker.postMessage({ text: { stream, terms, language } }, [...new Set(arrays.map((array) => array.buffer))]);
    return this.count++;
  }

  /**
   * Compares submissions, whose files have the numbers of their texts.
   * @param {{submissions: object[], templates: number[]}} asked
   * @param {(stage: string, done: number, total: number) => void} progress
   * @returns {Promise<object>} the result; it is never settled after `stop`
   * @throws {Error} the worker cannot be started, or it failed
   */
  compare(asked, progress) {
    return new Promise((resolve, reject) => {
      this.run = { resolve, reject, progress };
      if (this.failure === null) this.worker.postMessage({ asked });
      else reject(this.failure);
    });
  }

  /** Ends the worker. */
  stop() {
    this.worker.terminate();
  }

  heard(data) {
    if ("failed" in data) {
      this.failure = new Error(this.isReady ? `the comparison failed: ${data.failed}; choose fewer files`
        : `the comparison cannot be started: ${data.failed}; load this page again`);
      this.run?.reject(this.failure);
    } else if ("isReady" in data) this.isReady = true;
    else if ("result" in data) this.run.resolve(data.result);
    else this.run.progress(data.stage, data.done, data.total);
  }
}
