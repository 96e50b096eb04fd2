// A worker that keeps analyzed texts and compares submissions made of them.

import { Comparison } from "./comparison.js";
import { Kernel } from "./kernel.js";

const EVERY = 200; // milliseconds between two reports of progress
const texts = [];
let setup = null;

/** A comparison. It has a kernel of its own, whose memory is given back with it. */
async function compared({ submissions, templates }) {
  const kernel = await Kernel.load({ kernelBytes: setup.kernel, rules: setup.rules });
  const comparison = new Comparison(kernel);
  const numbers = new Map();
  const numberOf = (text) => {
    if (!numbers.has(text)) numbers.set(text, comparison.addText(texts[text]));
    return numbers.get(text);
  };
  for (const text of templates) comparison.addTemplate(texts[text]);
  for (const { files, ...submission } of submissions) {
    const own = files.map(({ text, ...file }) => ({ ...file, text: numberOf(text) }));
    comparison.addSubmission({ ...submission, files: own });
  }
  let last = { stage: "", at: 0 };
  return comparison.run((stage, done, total) => {
    const now = performance.now();
    if (stage === last.stage && now - last.at < EVERY) return;
    last = { stage, at: now };
    postMessage({ stage, done, total });
  });
}

self.onmessage = async ({ data }) => {
  try {
    if ("setup" in data) {
      setup = data.setup;
      postMessage({ isReady: true });
    } else if ("text" in data) texts.push(data.text);
    else postMessage({ result: await compared(data.asked) });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
};
