import * as z from 'zod';
import { CONTRACT } from '../api/contract.ts';
import { asData, linesThatFit } from './data.ts';
import { strictly } from './strict.ts';
import { tool } from './tool.ts';
import { oneLine } from './words.ts';

const LIST = 50;

const { windowMs, only } = CONTRACT['boot.run'].input.shape;

/** `boot_scan`: conversations that Outlast did not start, with a verdict for each. Nothing is resumed. */
export const bootScan = tool({
  name: 'boot_scan',
  title: 'Find interrupted conversations',
  description:
    'Scans this machine for conversations that were not started with Outlast, and judges each. Resumes nothing.',
  grants: ['read'],
  operations: ['boot.run'],
  dryRun: true,
  input: {
    ...strictly({ windowMs, only }),
    limit: z.number().int().min(1).max(500).default(LIST).describe('How many to show, interrupted ones first.'),
  },
  async run({ limit, ...input }, { outlast, signal }) {
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    const seen = await outlast.boot({ ...given, dryRun: true }, signal);
    const found = seen.conversations;
    const open = found.filter(({ verdict }) => verdict === 'interrupted');
    const sorted = [...open, ...found.filter((one) => !open.includes(one))];
    const every = sorted.slice(0, limit).map((one) => `${one.id} ${one.agent} ${one.verdict}: ${oneLine(one.why)}`);
    const head = `${open.length} of ${found.length} conversations were interrupted.`;
    const lines = linesThatFit(every);
    const left = found.length - lines.length;
    const missing =
      left === 0 ? [] : [`[${left} are left out: limit=500 shows more, only=… and windowMs=… narrow the list]`];
    const more = open.length === 0 ? [] : ['[a person can resume one with: outlast boot --resume ID]'];
    const text = lines.length === 0 ? [] : [asData(lines.join('\n'), 'the conversations')];
    return { text: [head, ...missing, ...more, ...text].join('\n'), details: { conversations: found } };
  },
});
