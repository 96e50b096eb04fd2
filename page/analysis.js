// The analysis of files in workers. A worker that fails on a file is replaced, and the file is skipped.

import { started } from "./workers.js";

/** A file that takes longer than this is skipped. The parser has a lower limit of its own, so this is for a hang. */
const MOST_SECONDS = 60;

/** A worker whose memory has grown beyond this is replaced, since WebAssembly never gives memory back. */
const MOST_MEMORY = 300_000_000;

const MOST_WORKERS = 16;

/** Workers that analyze files. Call `stop` at the end. */
export class Analysis {
  /**
   * @param {WebAssembly.Module} kernel
   * @param {object} rules
   * @param {import("./grammars.js").Grammars} grammars
   */
  constructor(kernel, rules, grammars) {
    this.setup = { kernel, rules };
    this.grammars = grammars;
    this.size = Math.max(1, Math.min(navigator.hardwareConcurrency || 2, MOST_WORKERS));
    this.idle = [];
    this.waiting = [];
    this.workers = new Set();
    this.isStopped = false;
    this.failure = null;
    for (let number = 0; number < this.size; number++) this.start();
  }

  /**
   * What `Kernel.read` says of a file, with `skipped: "worker_died"` if its worker failed on it.
   * @param {string} path
   * @param {Uint8Array} bytes  they are moved to a worker
   * @param {{language?: string}} options
   * @returns {Promise<object>} it is never settled after `stop`
   * @throws {Error} the kernel or a grammar cannot be loaded
   */
  analyze(path, bytes, options = {}) {
    return new Promise((resolve, reject) => {
      this.waiting.push({ path, bytes, options, resolve, reject });
      this.next();
    });
  }

  /** Ends all workers. */
  stop() {
    this.isStopped = true;
    for (const worker of this.workers) this.end(worker);
  }

  start() {
    const worker = started("analysis-worker.js", (data) => this.heard(worker, data), (why) => this.gone(worker, why));
    worker.postMessage({ setup: this.setup });
    this.workers.add(worker);
  }

  next() {
    if (this.failure !== null) {
      for (const job of this.waiting.splice(0)) job.reject(this.failure);
    }
    while (this.idle.length && this.waiting.length) {
      const worker = this.idle.pop();
      const job = this.waiting.shift();
      worker.job = job;
      this.watch(worker);
      worker.postMessage({ path: job.path, bytes: job.bytes, options: job.options }, [job.bytes.buffer]);
    }
  }

  /** Begins the time that a worker has for its file. */
  watch(worker) {
    clearTimeout(worker.timer);
    worker.timer = setTimeout(() => this.gone(worker, "it took too long", "parse_timeout"), MOST_SECONDS * 1000);
  }

  async heard(worker, data) {
    if ("grammar" in data) {
      clearTimeout(worker.timer); // a slow network is not the worker's fault
      try {
        worker.postMessage({ grammar: data.grammar, module: await this.grammars.load(data.grammar) });
        if (worker.job && this.workers.has(worker)) this.watch(worker);
      } catch (error) {
        const problem = `the grammar of ${data.grammar} cannot be loaded: ${error.message}`;
        this.fail(new Error(`${problem}; connect to the network`));
      }
    } else if ("failed" in data) {
      this.gone(worker, data.failed);
    } else {
      clearTimeout(worker.timer);
      const { job } = worker;
      worker.job = null;
      worker.isReady = true;
      job?.resolve(data.answer);
      if (data.memory > MOST_MEMORY) {
        this.end(worker);
        this.start();
      } else {
        this.idle.push(worker);
      }
      this.next();
    }
  }

  /** Replaces a worker that failed. If it has a file, the file is at fault; if it never began, the kernel is. */
  gone(worker, why, reason = "worker_died") {
    if (this.isStopped || !this.workers.has(worker)) return;
    const { job } = worker;
    this.end(worker);
    if (!job && !worker.isReady) {
      this.fail(new Error(`the analysis cannot be started: ${why}; load this page again`));
      return;
    }
    job?.resolve({ skipped: reason });
    this.start();
    this.next();
  }

  end(worker) {
    clearTimeout(worker.timer);
    worker.onmessage = null;
    worker.onerror = null;
    worker.terminate();
    this.workers.delete(worker);
    this.idle = this.idle.filter((other) => other !== worker);
  }

  fail(error) {
    this.failure = error;
    for (const { job } of this.workers) job?.reject(error);
    this.next();
    this.stop();
  }
}
