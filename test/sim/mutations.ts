// Deliberate mistakes. The simulator must notice each of them; one that it does not notice is a hole in the simulator.

export interface Mutation {
  readonly mistake: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export const MUTATIONS: readonly Mutation[] = [
  {
    mistake: 'news about an older run is believed',
    file: 'src/core/admit.ts',
    from: "if ('run' in input && input.run !== runOf(s)) return nothing;",
    to: '',
  },
  {
    mistake: 'the journal takes an input twice',
    file: 'src/journal/memory.ts',
    from: "if (write.cause !== null && this.#inputs.has(write.cause)) return 'seen';",
    to: '',
  },
  {
    mistake: 'a prompt is typed again after a restart',
    file: 'src/core/next-agent.ts',
    from: "sight.tried === 'no'",
    to: "sight.tried !== 'yes'",
  },
  {
    mistake: 'a run is resumed while the old one lives',
    file: 'src/core/next.ts',
    from: "if (sight.terminal.is === 'alive' || sight.left > 0) return act({ kind: 'close', run: phase.run });",
    to: '',
  },
  {
    mistake: 'what the old run left behind is not ended before a resume',
    file: 'src/core/next.ts',
    from: "if (sight.terminal.is === 'alive' || sight.left > 0) return act({ kind: 'close', run: phase.run });",
    to: "if (sight.terminal.is === 'alive') return act({ kind: 'close', run: phase.run });",
  },
  {
    mistake: 'a hook is acknowledged before it is durable',
    file: 'test/sim/history.ts',
    from: 'book.take(delivery.id, delivery.input);\n    world.spool.shift();',
    to: 'world.spool.shift();\n    book.take(delivery.id, delivery.input);',
  },
  {
    mistake: 'a left-over prompt is continued without asking the transcript',
    file: 'src/core/next-agent.ts',
    from: 'if (!sight.transcript.heard.includes(tokenOf(prompt))) return sending(prompt, prompt.turn, run);',
    to: '',
  },
  {
    mistake: 'a prompt sent to an older run counts as sent to this one',
    file: 'src/core/next-agent.ts',
    from: 'prompt.run === phase.run ?',
    to: 'prompt.run > 0 ?',
  },
  {
    mistake: 'readiness that comes early is dropped',
    file: 'src/core/admit.ts',
    from: "phase.at === 'opening' || phase.at === 'starting'",
    to: "phase.at === 'starting'",
  },
  {
    mistake: 'a run is opened again after a reboot',
    file: 'src/core/next.ts',
    from: 'if (sight.boot !== phase.boot) return faulted(s, lost(s, sight), nowMs);',
    to: '',
  },
  {
    mistake: 'stopping forgets the launcher that is on its way',
    file: 'src/core/next.ts',
    from: "is === 'absent' ? sight.boot === bootOf(s, sight) : is === 'alive' || sight.left > 0",
    to: "is === 'alive' || sight.left > 0",
  },
  {
    mistake: 'stopping leaves the children',
    file: 'src/core/next.ts',
    from: "is === 'absent' ? sight.boot === bootOf(s, sight) : is === 'alive' || sight.left > 0",
    to: "is === 'absent' ? sight.boot === bootOf(s, sight) : is === 'alive'",
  },
  {
    mistake: 'any event makes an intent look untried',
    file: 'src/supervisor/loop.ts',
    from: 'const tried = intent === null ?',
    to: "this.#intents.set(intent ?? '', 'no');\n    const tried = intent === null ?",
  },
  {
    mistake: 'a prompt that is late to be accepted is typed again',
    file: 'src/core/next-agent.ts',
    from: "return append({ type: 'prompt.unsure', prompt: prompt.id, waitedMs: nowMs - prompt.sinceMs });",
    to: 'return sending(prompt, prompt.turn + 1, prompt.run);',
  },
  {
    mistake: 'silence is taken for consent',
    file: 'src/core/next-agent.ts',
    from: "allow: false, by: 'timeout'",
    to: "allow: true, by: 'timeout'",
  },
  {
    mistake: 'what a lost command left behind is forgotten',
    file: 'src/core/next.ts',
    from: "return append({ type: 'session.closing', outcome: { kind: 'abandoned', fault } });\n}",
    to: "return append({ type: 'session.ended', outcome: { kind: 'abandoned', fault } });\n}",
  },
  {
    mistake: "somebody else's prompt is taken for ours",
    file: 'src/core/admit.ts',
    from: "return sent && input.token === tokenOf(first) && phase.at !== 'recovering'",
    to: "return sent && phase.at !== 'recovering'",
  },
  {
    mistake: 'an answer that the transcript has is asked for again',
    file: 'src/core/next-agent.ts',
    from: "return sight.transcript.turn === 'closed' && sight.transcript.heard.includes(tokenOf(prompt));",
    to: 'return false;',
  },
  {
    mistake: 'an agent that crashed is never resumed',
    file: 'src/core/next.ts',
    from: "if (s.spec.drive === 'command' || s.faults > s.spec.policy.resumesMax)",
    to: 'if (s.faults > 0)',
  },
  {
    mistake: 'a command is started again after a reboot',
    file: 'src/core/next.ts',
    from: "if (s.spec.drive === 'command' || s.faults > s.spec.policy.resumesMax)",
    to: 'if (s.faults > s.spec.policy.resumesMax)',
  },
  {
    mistake: 'a timeout is never noticed',
    file: 'src/core/next.ts',
    from: 'if (dueMs !== null && nowMs >= dueMs)',
    to: 'if (dueMs !== null && nowMs > dueMs + 1e9)',
  },
  {
    mistake: 'a lost Enter is never repeated',
    file: 'src/core/next-agent.ts',
    from: "const holding = sight.screen === 'holding' && !prompt.entered;",
    to: 'const holding = false;',
  },
];
