// A connection of the page that is bundled into it for one test: as many sessions as nobody would start for a test.
import type { ApprovalView } from '../../src/api/contract-approvals.ts';
import type { SessionRow } from '../../src/api/contract-list.ts';
import type { LogLine } from '../../src/api/logs-shape.ts';
import { aSession } from '../../src/testing/session-view.ts';

const SESSIONS = 1_000;
const PHASES = ['working', 'idle', 'limited', 'blocked'] as const;
const forever = new Promise<never>(() => {});
/** The window of the browser. */
const page = globalThis as unknown as EventTarget;

function row(number: number, line: string): SessionRow {
  const phase = PHASES[number % PHASES.length] ?? 'idle';
  const id = `01m7${String(number).padStart(16, '0')}`;
  const about = { id, name: `session-${number}`, agent: 'scripted', drive: 'turns', phase } as const;
  return { ...aSession({ ...about, lastSignAtMs: 1_700_000_000_000 + number, workspace: '/home/ana/shop' }), line };
}

function talk(): LogLine[] {
  const lines: LogLine[] = [];
  const result = { text: 'ok', images: 0, isError: false };
  for (let turn = 1; turn <= 2_000; turn += 1) {
    const at = { atMs: 1_700_000_000_000 + turn, turn };
    lines.push({ ...at, id: `prompt ${turn}`, is: 'prompt', text: `prompt ${turn}` });
    for (let n = 0; n < 5; n += 1) {
      const call = { id: `${turn}.${n}`, name: 'Bash', input: {}, actions: [{ is: 'shell', command: `make ${n}` }] };
      const over = { result, ended: true, error: null, tookMs: 200, subagent: null };
      lines.push({ ...at, id: `call ${turn}.${n}`, is: 'call', text: 'Bash', call: { ...call, ...over } });
    }
    lines.push({ ...at, id: `text ${turn}`, is: 'text', text: `A **reply** to prompt ${turn}.\n\n- one\n- two` });
  }
  return lines;
}

function event(seq: number, type: string, body: Record<string, unknown>) {
  const ts = new Date(1_700_000_000_000 + seq * 60_000).toISOString();
  return { position: seq, after: `j:${seq}`, session: '01m70000000000000777', seq, ts, event: type, body };
}

function events() {
  return Array.from({ length: 10_000 }, (_, i) => {
    const [seq, prompt] = [i + 1, `p${Math.floor(i / 20)}`];
    if (i % 20 === 0) return event(seq, 'prompt.sending', { prompt, turn: 1, run: 1 });
    if (i % 20 === 19) return event(seq, 'prompt.answered', { prompt, reply: 'done' });
    return event(seq, 'tool.called', { run: 1, call: String(i), tool: 'Bash', input: `{"command":"make ${i}"}` });
  });
}

const ASKED: ApprovalView = {
  ...{ id: 'k7mpq2xw', session: '01m70000000000000003', name: 'session-3', workspace: '/home/ana/shop', run: 1 },
  ...{ call: 'c', tool: 'Bash', input: { command: 'make' }, hash: 'h', subagent: null, why: 'no rule allows it' },
  ...{ diff: null, rule: null, mode: 'gate', askedAtMs: 1_700_000_000_000, leftMs: null },
};

/** What the page asks for, answered at once. */
const outlast = {
  async daemonStatus() {
    return { journal: 'j', interrupted: null };
  },
  async *watch() {
    performance.mark('asked');
    for (let number = 0; number < SESSIONS; number += 1) yield { is: 'row', row: row(number, `line of ${number}`) };
    yield { is: 'complete' };
    await forever;
  },
  approvals: {
    async *follow() {
      yield { is: 'asked', id: ASKED.id, approval: ASKED };
      await forever;
    },
  },
  /** 10,000 events of 500 turns; when asked for, one more each time the page is told so. */
  async *events({ last, follow }: { last: number; follow?: boolean }) {
    const all = events();
    yield* all.slice(-last);
    for (let seq = all.length + 1; follow; seq += 1) {
      await new Promise((resolve) => page.addEventListener('more-events', resolve, { once: true }));
      yield event(seq, 'usage.counted', {});
    }
  },
  async *logs({ last, from, follow }: { last?: number; from?: number; follow: boolean }) {
    const lines = talk().filter(({ turn }) => turn > (from ?? 0));
    yield* lines.slice(last === undefined ? 0 : -last);
    if (follow) await forever;
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
  };
}
