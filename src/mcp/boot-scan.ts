import { CONTRACT } from '../api/contract.ts';
import { asData } from './data.ts';
import { strictly } from './strict.ts';
import { tool } from './tool.ts';
import { oneLine } from './words.ts';

const { windowMs, only, limit } = CONTRACT['boot.run'].input.shape;

/** `boot_scan`: conversations that we did not begin, and what is made of them. Nothing is resumed. */
export const bootScan = tool({
  name: 'boot_scan',
  title: 'Look for interrupted conversations',
  description:
    'Judges the conversations of agents on this machine that were not started with Outlast. Resumes nothing.',
  grants: ['read'],
  readOnly: true,
  input: strictly({ windowMs, only, limit }),
  async run(input, { outlast, signal }) {
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    const seen = await outlast.boot({ ...given, dryRun: true }, signal);
    const found = seen.conversations;
    const open = found.filter(({ verdict }) => verdict === 'interrupted');
    const lines = found.map((one) => `${one.id} ${one.agent} ${one.verdict}: ${oneLine(one.why)}`);
    const head = `${open.length} of ${found.length} conversations were interrupted.`;
    const more = open.length === 0 ? [] : ['[a person resumes one with: outlast boot --resume ID]'];
    const text = lines.length === 0 ? [] : [asData(lines.join('\n'), 'the conversations')];
    return { text: [head, ...more, ...text].join('\n'), details: { conversations: found } };
  },
});
