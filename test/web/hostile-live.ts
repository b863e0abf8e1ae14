// A connection of the page that is bundled into it for one test: every text that comes through it is hostile. The
// payloads are in `globalThis.payloads`, put there before the page loads; `isWhole`: in every kind of call.
import type { ApprovalView } from '../../src/api/contract-approvals.ts';
import type { SessionRow } from '../../src/api/contract-list.ts';
import type { LogLine } from '../../src/api/logs-shape.ts';
import { OutlastError } from '../../src/base/errors.ts';
import { anAgent } from '../../src/testing/session-view.ts';

const { payloads, isWhole } = globalThis as unknown as { payloads: readonly string[]; isWhole: boolean };
const forever = new Promise<never>(() => {});
const NOW_MS = 1_700_000_000_000;

function idOf(kind: string, i: number): string {
  return `01m7${kind}${String(i).padStart(14, '0')}`;
}

/** Two sessions for each text: one that needs somebody, and one that has ended. */
function rowsOf(text: string, i: number): SessionRow[] {
  const everywhere = { name: text, agent: text, model: text, thinking: text, workspace: `/${text}`, line: text };
  const more = { conversation: text, transcript: text, argv: [text, text], owner: { session: text } as never };
  const prompts = [{ id: `p${i}`, state: 'unsure', text, waiting: text }] as unknown as SessionRow['prompts'];
  const control = { by: text, how: 'handoff', sinceMs: NOW_MS } as unknown as SessionRow['control'];
  const needs = { id: idOf('aa', i), held: text, hold: { helps: 'resume' } as never, phase: 'blocked' } as const;
  const ended = { id: idOf('ee', i), phase: 'ended', endedAtMs: NOW_MS } as const;
  const outcome = { kind: 'failed', why: text } as unknown as SessionRow['outcome'];
  return [
    { ...anAgent({ ...everywhere, ...more, ...needs, prompts, control, terminal: 'pty' }), line: text },
    { ...anAgent({ ...everywhere, ...more, ...ended, outcome, terminal: 'pty' }), line: text },
  ];
}

function askedOf(text: string, i: number): ApprovalView {
  const diff = `--- a/${text}\n+++ b/${text}\n@@ -1 +1 @@\n-${text}\n+${text}\n`;
  const about = { id: `q${i}`, session: idOf('aa', 0), name: text, workspace: `/${text}`, run: 1, call: text };
  const input = JSON.parse(JSON.stringify({ [text]: text, nested: [{ [text]: text }] }));
  const rest = { hash: text, subagent: text, why: text, actions: [{ is: 'write', text } as const], rule: text };
  return { ...about, tool: text, input, ...rest, diff, mode: 'gate', askedAtMs: NOW_MS + i, leftMs: null };
}

/** Everything that a conversation can have, with one text. */
function linesOf(text: string, i: number): LogLine[] {
  const plain = ['prompt', 'steering', 'text', 'thinking', 'note', 'decision', 'fault', 'event', 'end'] as const;
  const at = { atMs: NOW_MS + i, turn: i + 1, text };
  const change = { is: 'text', text } as const;
  const actions = [
    [{ is: 'shell', command: text }],
    [{ is: 'read', path: text }],
    [{ is: 'read', path: text, pattern: text }],
    [{ is: 'write', path: text, change }],
    [{ is: 'fetch', url: text }],
    [{ is: 'mcp', server: text, tool: text }],
    [{ is: 'agent', prompt: text }],
    [],
  ];
  const calls = actions.map((its, n): LogLine => {
    const result = { text, images: 1, isError: true };
    const call = { id: text, name: text, input: { [text]: text, plain: text }, actions: its, result, ended: n > 0 };
    return {
      ...at,
      id: `call ${i}.${n}`,
      is: 'call',
      call: { ...call, error: n % 2 ? text : null, tookMs: 5, subagent: text },
    };
  });
  // Each text in each kind of call would be 480 calls: else every text is in one of them.
  const some = isWhole ? calls : calls.filter((_, n) => n === i % calls.length);
  return [...plain.map((is): LogLine => ({ ...at, id: `${is} ${i}`, is })), ...some];
}

async function refusing(): Promise<never> {
  throw new OutlastError('internal', payloads.join(' '));
}

const outlast = {
  async daemonStatus() {
    return { journal: 'j', interrupted: null };
  },
  async *watch() {
    for (const row of payloads.flatMap(rowsOf)) yield { is: 'row', row };
    yield { is: 'complete' };
    await forever;
  },
  approvals: {
    async *follow() {
      for (const approval of payloads.map(askedOf)) yield { is: 'asked', id: approval.id, approval };
      await forever;
    },
    async decide() {
      return refusing();
    },
  },
  async *logs({ follow }: { follow: boolean }) {
    yield* payloads.flatMap(linesOf);
    yield { id: 'piece', is: 'piece', atMs: NOW_MS, turn: 99, text: payloads.join('\n\n'), from: 0 };
    if (follow) await forever;
  },
  async output() {
    return { text: payloads.join('\n') };
  },
  async prompt() {
    return refusing();
  },
};

const DEVICE = { id: 'd', name: 'Test', grants: ['read', 'prompt', 'exec', 'approve', 'admin'] };

/** Connects to nothing. */
export async function openLive() {
  const never = { subscribe: () => () => {} };
  return {
    outlast,
    state: { value: { is: 'live' }, ...never },
    device: { value: DEVICE, ...never },
    newcomer: { value: null, ...never },
    retry: () => {},
    async *screens() {
      const rows = payloads.map((text) => [{ text }, { text, fg: text, bg: text, bold: true }]);
      const modes = { isCursorApplication: false, isKeypadApplication: false };
      yield { columns: 200, rows, cursor: null, history: 0, ...modes, offset: 0, skipped: null };
      await forever;
    },
  };
}
