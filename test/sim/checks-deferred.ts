// Invariants of questions that wait without a process.
import type { Event } from '../../src/core/event.ts';
import type { History } from './history.ts';

/** Violations in how questions were deferred, decided and resumed. */
export function deferredViolations({ events, world }: History): string[] {
  return [
    ...openViolations(events),
    ...postponedViolations(events),
    ...decisionViolations(events),
    ...resumeViolations(events),
    ...useViolations(events, world.ledger),
  ];
}

/** Every question is closed: by a decision, or because the agent no longer waits for one. */
function openViolations(events: readonly Event[]): string[] {
  const idsOf = (...types: string[]): string[] =>
    events.flatMap(({ body }) => (types.includes(body.type) && 'approval' in body ? [String(body.approval)] : []));
  const closed = idsOf('approval.decided', 'approval.missed');
  return idsOf('approval.asked').flatMap((id) =>
    closed.includes(id) ? [] : [`the question ${id} stays open forever`],
  );
}

/** A postponed question is missed only when its session ends: the agent may die meanwhile. */
function postponedViolations(events: readonly Event[]): string[] {
  const postponed = new Set<string>();
  const missed: number[] = [];
  for (const { body, seq } of events) {
    if (body.type === 'approval.postponed') postponed.add(body.approval);
    if (body.type === 'approval.repeated') postponed.delete(body.approval);
    if (body.type === 'approval.missed' && postponed.has(body.approval)) missed.push(seq);
  }
  const goesOn = (seq: number): boolean =>
    events.some((later) => later.seq > seq && later.body.type === 'run.starting');
  return missed.some(goesOn) ? ['a postponed question was missed although its session went on'] : [];
}

function decisionViolations(events: readonly Event[]): string[] {
  const twice = (type: string): string[] => {
    const ids = events.flatMap(({ body }) => (body.type === type && 'approval' in body ? [body.approval] : []));
    return new Set(ids).size === ids.length ? [] : [`one question has ${type} twice`];
  };
  const calls = events.flatMap(({ body }) => (body.type === 'approval.asked' ? [`${body.run} ${body.call}`] : []));
  const again = events.flatMap(({ body }) => (body.type === 'approval.repeated' ? [body] : []));
  const named = again.flatMap(({ run, approval, call }) =>
    events.flatMap(({ body }) =>
      body.type === 'approval.asked' && body.approval === approval ? [`${run} ${call ?? body.call}`] : [],
    ),
  );
  const all = [...calls, ...named];
  const doubled = new Set(all).size === all.length ? [] : ['a run asked twice about one call'];
  return [...doubled, ...twice('approval.decided'), ...twice('approval.used')];
}

/** From the moment a call is deferred until it is decided, there is no process. */
function resumeViolations(events: readonly Event[]): string[] {
  const violations: string[] = [];
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
    if (open !== null) violations.push('a deferred turn was resumed without a decision');
    if (body.silent === true && !isAnswered)
      violations.push('a run without a prompt was started although no decided call waited for it');
  }
  return violations;
}

function seqOf(events: readonly Event[], body: Event['body']): number {
  return events.find((event) => event.body === body)?.seq ?? 0;
}

/** No call runs without approval, nor for a turn that was ended. */
function useViolations(events: readonly Event[], ledger: readonly string[]): string[] {
  const yes = events.flatMap(({ body }) => (body.type === 'approval.decided' && body.allow ? [body] : []));
  // A call that was postponed is made under another id.
  const again = events.flatMap(({ body }) =>
    body.type === 'approval.repeated' && yes.some(({ approval }) => approval === body.approval) ? [body.call] : [],
  );
  const allowed = [...yes.map(({ call }) => call), ...again];
  const over = new Set<string>();
  const late: string[] = [];
  for (const { body } of events) {
    if (body.type === 'prompt.interrupted') over.add(body.prompt);
    if (body.type === 'approval.decided' && body.allow && over.has(String(body.call).split('#')[0] ?? ''))
      late.push('a call was allowed after its turn had ended');
  }
  const used = ledger.flatMap((line) => (line.startsWith('use ') ? [line.slice(4)] : []));
  return [
    ...late,
    ...(used.length > yes.length ? ['a decision allowed two calls'] : []),
    ...used.filter((call) => !allowed.includes(call)).map((call) => `${call} ran without being allowed`),
  ];
}
