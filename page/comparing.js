// The comparison in a worker of its own, which keeps the analyzed texts for further comparisons.

/** A worker that compares. Call `stop` at the end; the texts are gone then. */
export class Comparing {
  constructor(kernel, rules) {
    this.worker = new Worker("comparing-worker.js", { type: "module" });
    this.worker.onmessage = ({ data }) => this.heard(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.heard({ failed: event.message ?? "" });
    };
    this.worker.postMessage({ setup: { kernel, rules } });
    this.count = 0;
    this.run = null;
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
   */
  compare(asked, progress) {
    return new Promise((resolve, reject) => {
      this.run = { resolve, reject, progress };
      this.worker.postMessage({ asked });
    });
  }

  /** Ends the worker. */
  stop() {
    this.worker.terminate();
  }

  heard(data) {
    if ("failed" in data) this.run?.reject(new Error(`the comparison failed: ${data.failed}; choose fewer files`));
    else if ("result" in data) this.run.resolve(data.result);
    else this.run.progress(data.stage, data.done, data.total);
  }
}
