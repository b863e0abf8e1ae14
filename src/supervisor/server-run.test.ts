import { expect, test } from 'vitest';
import { codexServer } from '../agent/codex/server.ts';
import { opencodeServer } from '../agent/opencode/server.ts';
import type { Incoming, Outgoing, ServerDrive } from '../agent/seam/server.ts';
import type { EventBody } from '../core/event.ts';
import type { ConversationId, How, Session, Spec } from '../core/session.ts';
import { LIVE, READY, sessionAfter } from '../testing/sessions.ts';
import { helloPlan } from './server-plan.ts';
import { ServerRun } from './server-run.ts';
import type { Taken, Wire } from './wires/wire.ts';

const { conversation } = LIVE;
const SERVER: Spec = {
  ...LIVE,
  drive: 'server',
  terminal: 'pipe',
  ...(conversation && { conversation: { ...conversation, chosenBy: 'agent', id: null } }),
};

/** How each agent starts a conversation, resumes one, and names it. */
const AGENTS = {
  codex: {
    drive: codexServer as ServerDrive<unknown>,
    starts: { method: 'thread/start' },
    resumes: { method: 'thread/resume', params: { threadId: 'c-7' } },
    named: (id: string): Incoming => ({
      is: 'message',
      data: { id, result: { thread: { id: 'c-7', path: '/t', turns: [] } } },
    }),
  },
  opencode: {
    drive: opencodeServer as ServerDrive<unknown>,
    starts: { method: 'POST', path: '/session' },
    resumes: { method: 'GET', path: '/session/c-7' },
    named: (id: string): Incoming => ({
      is: 'answer',
      to: id,
      status: 200,
      data: { id: 'c-7', time: { created: 1_794_784_204_050 } },
    }),
  },
} as const;

/** A session of an agent, with a wire on which the test connects and answers. */
class Stage {
  session: Session;
  sent: Outgoing[] = [];
  #incoming: Taken[] = [];
  #connection = 1;
  readonly #drive: ServerDrive<unknown>;
  #run: ServerRun;

  constructor(drive: ServerDrive<unknown>, ...events: EventBody[]) {
    this.#drive = drive;
    this.session = sessionAfter(SERVER, ...events);
    this.#run = this.#connect();
  }

  /** Ingests incoming messages, as the loop does. */
  async ingest(...messages: Incoming[]): Promise<void> {
    this.#incoming.push(...messages.map((message) => ({ message, atBytes: 0 })));
    await this.#run.ingest(({ says }) => {
      if (says.type !== 'hook.opened') return;
      const { run, conversation, transcript, source } = says;
      this.session = sessionAfter(SERVER, ...READY, {
        type: 'conversation.opened',
        run,
        conversation,
        transcript,
        source,
      });
    });
  }

  /** Breaks the connection and opens it again. */
  reconnect(): void {
    this.sent = [];
    this.#connection += 1;
  }

  /** A new daemon adopts the run. */
  adopt(): void {
    this.sent = [];
    this.#run = this.#connect();
  }

  /** The message that opens the conversation. */
  get opening(): { readonly id: string; readonly what: unknown } {
    const message = this.sent.find(({ id }) => id === 'open' || id === 'adopt');
    return { id: message?.id ?? '', what: message?.is === 'message' ? message.data : message };
  }

  #connect(): ServerRun {
    const stage = this;
    const wire: Wire = {
      state: 'open',
      get connection() {
        return stage.#connection;
      },
      past: async () => [],
      take: () => this.#incoming.splice(0),
      send: async (message) => void this.sent.push(message),
      close: () => {},
    };
    return new ServerRun({
      run: 1,
      drive: this.#drive,
      wire,
      plan: () => helloPlan(this.session),
      clock: { wallMs: () => 0, steadyMs: () => 0, sleep: async () => {} },
      startMsMax: 1_000,
      kept: null,
      keep: () => {},
    });
  }
}

const starting = (how: How): EventBody[] =>
  READY.slice(0, 2).map((body) => (body.type === 'run.starting' ? { ...body, how } : body));

test.each(Object.entries(AGENTS))(
  '%s resumes its conversation on each new connection once it has one',
  async (_, agent) => {
    const stage = new Stage(agent.drive, ...starting('launch'));
    await stage.ingest();
    expect(stage.opening).toMatchObject({ id: 'open', what: agent.starts });
    await stage.ingest(agent.named('open'));
    expect(stage.session.conversation.id).toBe('c-7');
    stage.reconnect();
    await stage.ingest();
    expect(stage.opening).toMatchObject({ id: 'adopt', what: agent.resumes });
    stage.adopt();
    await stage.ingest();
    expect(stage.opening).toMatchObject({ id: 'adopt', what: agent.resumes });
  },
);

test.each(Object.entries(AGENTS))(
  '%s starts again when its connection was lost before it named a conversation',
  async (_, agent) => {
    const stage = new Stage(agent.drive, ...starting('launch'));
    await stage.ingest();
    stage.adopt();
    await stage.ingest();
    expect(stage.opening).toMatchObject({ id: 'open', what: agent.starts });
  },
);

test.each(Object.entries(AGENTS))('%s resumes a known conversation in a new process', async (_, agent) => {
  const opened = { type: 'conversation.opened', run: 1, transcript: null, source: 'startup' } as const;
  const known: EventBody = { ...opened, conversation: 'c-7' as ConversationId };
  const resumed = starting('resume').map((body) => ('run' in body ? { ...body, run: 2 } : body)) as EventBody[];
  const stage = new Stage(agent.drive, ...starting('launch'), known, ...resumed);
  await stage.ingest();
  expect(stage.opening).toMatchObject({ id: 'open', what: agent.resumes });
});
