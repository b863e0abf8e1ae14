import { join } from 'node:path';
import { knownAgent } from '../../agent/known.ts';
import { refOf, terminalOf } from '../../supervisor/runs.ts';
import { leftOf } from '../../terminal/end.ts';
import { LineIndex } from '../../terminal/line-index.ts';
import { tailLines } from '../../terminal/output-lines.ts';
import { describe } from '../../terminal/processes.ts';
import { sessionFolder } from '../../terminal/run-folder.ts';
import { placeAt } from '../journal/cursor.ts';
import { actorOf } from '../owners/actors.ts';
import { isBelow, refuseInside } from '../owners/owners.ts';
import { report } from '../report/report.ts';
import { guarded } from '../serve/guard.ts';
import type { Handlers } from '../serve/http.ts';
import { gateModeOf } from '../start/gate-start.ts';
import { viewOfPolicy } from '../start/policy.ts';
import { inherited } from '../start/spawn-start.ts';
import { startIn } from '../start/worktree-start.ts';
import { filesOf } from '../views/output-files.ts';
import { shortened, viewOf } from '../views/view.ts';
import { wait } from '../waits/waits.ts';
import * as approvals from './approvals.ts';
import { attach } from './attaches.ts';
import { readAudit, verifyAudit } from './audit.ts';
import { bootHandlers } from './boot.ts';
import { decide, removeRule } from './decide.ts';
import { prune, remove, stop } from './endings.ts';
import { events } from './events.ts';
import * as foreign from './foreign.ts';
import { doctor, status } from './host.ts';
import { interrupt, resize, write } from './inputs.ts';
import { listed } from './listed.ts';
import { follow, output } from './outputs.ts';
import type { Parts } from './parts.ts';
import { Polls } from './polls.ts';
import { seen } from './reads.ts';
import * as talks from './talks.ts';
import { tell } from './tells.ts';
import { usageOfDays } from './usage.ts';
import { workingViewOf } from './working-view.ts';

/** One short function per operation of the contract. */
export function handlers(parts: Parts): Handlers {
  return guarded(parts, {
    ...sessionHandlers(parts),
    ...terminalHandlers(parts),
    ...approvalHandlers(parts),
    ...bootHandlers(parts),
    'session.wait': (input, signal) => wait(parts, input, signal),
    'session.events': (input, signal) => events(parts, input, signal),
    ...outputHandlers(parts),
    'session.write': (input, signal) => write(parts, input, signal),
    'session.resize': (input, signal) => resize(parts, input, signal),
    'session.interrupt': (input, signal) => interrupt(parts, input, signal),
    'session.prompt': (input) => talks.prompt(parts, input),
    'session.reply': (input, signal) => talks.awaitReply(parts, input, signal),
    'session.drop': (input) => talks.drop(parts, input),
    'session.turn': (input) => talks.turn(parts, input),
    'session.report': (input) => report(parts, input),
    'usage.days': (input) => usageOfDays(parts, input),
    'session.resume': (input) => talks.resume(parts, input),
    'session.handoff': (input) => talks.handoff(parts, input),
    'session.tell': (input) => tell(parts, input),
    'session.seen': (input) => seen(parts, input),
    'session.attach': (input, signal) => attach(parts, input, signal),
    'session.stop': (input, signal) => stop(parts, input, signal),
    'session.remove': (input, signal) => remove(parts, input, signal),
    'session.prune': (input) => prune(parts, input),
    'tmux.find': (input) => foreign.find(parts, input),
    'tmux.capture': (input) => foreign.capture(parts, input),
    'tmux.wait': (input, signal) => foreign.wait(parts, input, signal),
    'daemon.status': () => status(parts),
    'daemon.wake': () => {
      const { away, isNew } = parts.sleepDetector.woke();
      return { ...away, new: isNew };
    },
    'daemon.stop': ({ planned, caller }) => {
      refuseInside(parts.journal, caller, 'stop the daemon that it runs in');
      parts.stop('a caller', planned);
      return { live: parts.journal.count().live };
    },
    'daemon.doctor': (input) => doctor(parts, input),
  });
}

type Owned = Parameters<typeof isBelow>[1];
type Session = 'session.start' | 'session.list' | 'session.show' | 'session.background';

function sessionHandlers(parts: Parts): Pick<Handlers, Session> {
  const { sessions, config } = parts;
  const { state } = config;
  return {
    'session.start': async (given) => {
      const input = inherited(parts, given);
      const isCommand = input.argv !== undefined || input.shell !== undefined;
      // Said now, and not by a session that ends right away.
      if (!isCommand && gateModeOf(input, config) === 'gate') {
        const path = input.set.PATH ?? input.env.PATH ?? '';
        await parts.gates.demand(knownAgent(parts.agents, input.agent || config.agent).name, input.drive, path);
      }
      const { row, warnings, prompt } = await startIn(parts, input);
      return { session: viewOf(state, row), warnings: [...warnings], ...placeAt(parts.journal, row.position), prompt };
    },
    'session.list': async ({ limit, tail, ...query }) => {
      const below = (session: Owned, above: Owned): boolean => isBelow(parts.journal, session, above);
      const rows = listed({ ...parts, isBelow: below }, { ...query, limit: limit + 1 });
      const shown = rows.slice(0, limit).map(async (row) => {
        const view = shortened(await workingViewOf(parts, row));
        return tail === 0 ? view : { ...view, tail: [...(await tailLines(filesOf(state, row.session), tail)).lines] };
      });
      return { sessions: await Promise.all(shown), more: rows.length > limit };
    },
    'session.show': async (input) => {
      const row = sessions.find(input.session);
      const { spec, run } = row.session;
      const left = run === null ? [] : leftOf(state, refOf(row.session));
      return {
        session: await workingViewOf(parts, row),
        folder: sessionFolder(state, row.session.id),
        ...spec.size,
        timeoutMs: spec.policy.runMsMax,
        silenceMs: spec.policy.quietMsMax ?? null,
        inputClosed: terminalOf(row.session) === 'pipe' && (spec.stdin !== 'open' || (run?.inputClosed ?? false)),
        processes: left.map(({ pid }) => ({ pid, command: describe(pid) })),
        eventsFile: join(sessionFolder(state, row.session.id), 'events.jsonl'),
        attach: `outlast attach ${spec.name ?? row.session.id}`,
        reply: row.session.turn.last?.reply ?? null,
        policy: viewOfPolicy(spec.policy),
      };
    },
    'session.background': (input) => {
      const { session } = sessions.find(input.session);
      sessions.take(session, { type: 'background', by: actorOf(parts.journal, input, session) });
      return { session: viewOf(state, sessions.find(session.id)) };
    },
  };
}

type Approving = 'approval.list' | 'approval.follow' | 'approval.decide' | 'rule.list' | 'rule.remove';

function approvalHandlers(parts: Parts): Pick<Handlers, Approving | 'audit.read' | 'audit.verify'> {
  return {
    'approval.list': (input) => approvals.list(parts, input),
    'approval.follow': (input, signal) => approvals.follow(parts, input, signal),
    'approval.decide': (input) => decide(parts, input),
    'rule.list': () => ({ rules: [...parts.rules.list()] }),
    'rule.remove': (input) => removeRule(parts, input),
    'audit.read': (input) => readAudit(parts, input),
    'audit.verify': (input) => verifyAudit(parts, input),
  };
}

function outputHandlers(
  parts: Parts,
): Pick<Handlers, 'session.output' | 'session.follow' | 'session.poll' | 'session.ack'> {
  const index = new LineIndex();
  const polls = new Polls(parts);
  return {
    'session.output': (input) => output(parts, index, input),
    'session.follow': (input, signal) => follow(parts, input, signal),
    'session.poll': (input, signal) => polls.poll(input, signal),
    'session.ack': (input) => polls.ack(input),
  };
}

function terminalHandlers({ sessions, terminals }: Parts): Pick<Handlers, 'session.screen'> {
  return {
    'session.screen': async (input) => {
      const { session } = sessions.find(input.session);
      const { rows, columns, cursor } = await terminals[terminalOf(session)].screen(refOf(session));
      return { rows: [...rows], columns, cursor };
    },
  };
}
