// The program that sends spans and metrics to a collector: a process of its own, with the libraries of OpenTelemetry.
// The daemon starts it only if the config has an endpoint, and it ends with the daemon. It keeps nothing: what was not
// answered with yes is sent again by order of the daemon.
import { createInterface } from 'node:readline';
import type { Sent, Told } from './protocol.ts';
import { Sender } from './sender.ts';

let sender: Sender | null = null;
let last: Promise<unknown> = Promise.resolve();
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const told = JSON.parse(line) as Told;
  last = last
    .then(() => handle(told))
    .then((sent) => sent !== null && process.stdout.write(`${JSON.stringify(sent)}\n`));
});
lines.on('close', () => process.exit(0));

async function handle(told: Told): Promise<Sent | null> {
  if (told.do === 'begin') {
    sender = new Sender(told);
    return null;
  }
  if (sender === null) throw new Error('an order before the beginning');
  try {
    return await (told.do === 'spans' ? sender.spans(told.spans) : sender.metrics(told.families, told.nowMs));
  } catch (error) {
    // Such as the file of a header that cannot be read.
    return { ok: false, why: error instanceof Error ? error.message : String(error), isFinal: false };
  }
}
