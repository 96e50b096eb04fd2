// A worker that analyzes files one by one.

import { Kernel } from "./kernel.js";

const grammars = new Map();
let kernel = null;

/** A grammar, which the page loads once for all workers. */
function grammar(name) {
  if (!grammars.has(name)) {
    const asked = {};
    asked.module = new Promise((resolve) => {
      asked.resolve = resolve;
    });
    grammars.set(name, asked);
    postMessage({ grammar: name });
  }
  return grammars.get(name).module;
}

/** The buffers of an answer, which are moved to the page and not copied. */
function buffersOf({ stream, terms = [] }) {
  const arrays = [stream, ...terms].filter((array) => array instanceof Uint8Array);
  return [...new Set(arrays.map((array) => array.buffer))];
}

self.onmessage = async ({ data }) => {
  try {
    if ("grammar" in data) {
      grammars.get(data.grammar).resolve(data.module);
    } else if ("setup" in data) {
      kernel = await Kernel.load({ kernelBytes: data.setup.kernel, rules: data.setup.rules, grammar });
      postMessage({ answer: null, memory: 0 });
    } else {
      const answer = await kernel.read(data.path, data.bytes, data.options);
      postMessage({ answer, memory: kernel.memory }, buffersOf(answer));
    }
  } catch (error) {
    // After a trap, the kernel's memory is in no known state: the page replaces this worker.
    postMessage({ failed: String(error) });
  }
};
