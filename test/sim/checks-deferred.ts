// What must be true of every history about questions that wait without a process.
import type { Event } from '../../src/core/event.ts';
import type { History } from './history.ts';

/** Faults in how questions were deferred, decided and resumed. */
export function deferredFaults({ events, world }: History): string[] {
  return [
    ...openFaults(events),
    ...decisionFaults(events),
    ...parkedFaults(events),
    ...useFaults(events, world.ledger),
  ];
}

/** Every question ends: with an answer, or because the agent no longer waits for one. */
function openFaults(events: readonly Event[]): string[] {
  const idsOf = (...types: string[]): string[] =>
    events.flatMap(({ body }) => (types.includes(body.type) && 'approval' in body ? [String(body.approval)] : []));
  const closed = idsOf('approval.decided', 'approval.missed');
  return idsOf('approval.asked').flatMap((id) => (closed.includes(id) ? [] : [`the question ${id} is open for ever`]));
}

function decisionFaults(events: readonly Event[]): string[] {
  const twice = (type: string): string[] => {
    const ids = events.flatMap(({ body }) => (body.type === type && 'approval' in body ? [body.approval] : []));
    return new Set(ids).size === ids.length ? [] : [`the same question has ${type} twice`];
  };
  const calls = events.flatMap(({ body }) => (body.type === 'approval.asked' ? [`${body.run} ${body.call}`] : []));
  const again = events.flatMap(({ body }) => (body.type === 'approval.repeated' ? [body] : []));
  const named = again.flatMap(({ run, approval }) =>
    events.flatMap(({ body }) =>
      body.type === 'approval.asked' && body.approval === approval ? [`${run} ${body.call}`] : [],
    ),
  );
  const all = [...calls, ...named];
  const doubled = new Set(all).size === all.length ? [] : ['a run asked twice about one call'];
  return [...doubled, ...twice('approval.decided'), ...twice('approval.used')];
}

/** Between its end and its answer there is no process. */
function parkedFaults(events: readonly Event[]): string[] {
  const faults: string[] = [];
  let open: string | null = null;
  let isAnswered = false;
  for (const { body } of events) {
    if (body.type === 'turn.deferred') {
      const { approval } = body;
      isAnswered = events.some(
        (e) => e.body.type === 'approval.decided' && e.body.approval === approval && e.seq < seqOf(events, body),
      );
      open = isAnswered ? null : approval;
    }
    if (body.type === 'approval.decided' && body.approval === open) [open, isAnswered] = [null, true];
    if (/^(prompt\.(interrupted|dropped)|session\.closing)$/.test(body.type)) [open, isAnswered] = [null, false];
    if (body.type !== 'run.starting') continue;
    if (open !== null) faults.push('taken up without an answer');
    if (body.silent === true && !isAnswered) faults.push('taken up although nobody waited for it');
  }
  return faults;
}

function seqOf(events: readonly Event[], body: Event['body']): number {
  return events.find((event) => event.body === body)?.seq ?? 0;
}

/** No call runs without approval, nor for a turn that was ended. */
function useFaults(events: readonly Event[], ledger: readonly string[]): string[] {
  const allowed = events.flatMap(({ body }) => (body.type === 'approval.decided' && body.allow ? [body.call] : []));
  const over = new Set<string>();
  const late: string[] = [];
  for (const { body } of events) {
    if (body.type === 'prompt.interrupted') over.add(body.prompt);
    if (body.type === 'approval.decided' && body.allow && over.has(String(body.call).split('#')[0] ?? ''))
      late.push('a call was allowed whose turn was over');
  }
  const used = ledger.flatMap((line) => (line.startsWith('use ') ? [line.slice(4)] : []));
  return [...late, ...used.filter((call) => !allowed.includes(call)).map((call) => `${call} was used without a yes`)];
}
