// Deliberate mistakes about turns that hang.
import type { Mutation } from './mutations.ts';

const SCREEN_MS = 'const { quietMs: progressMs = 0 } = { quietMs: 0, ...sight.terminal };';
const BY_SCREEN = `const { isComputing, words } = sight.signs;\n  ${SCREEN_MS}`;

export const HANG_MUTATIONS: readonly Mutation[] = [
  {
    mistake: 'a process that has answered and does not leave is taken for a hang',
    story: 'turnsStays',
    file: 'src/core/next-agent.ts',
    from: '  if (staying) return staying;\n',
    to: '',
  },
  {
    mistake: 'a hang is not interrupted first',
    story: 'liveHangPinging',
    file: 'src/core/next-agent.ts',
    from: "|| sight.screen.is !== 'busy' || isAgain) return",
    to: '|| s.seq > 0) return',
  },
  {
    mistake: 'an interrupt that does not help is waited for',
    story: 'liveHangDeaf',
    file: 'src/core/next-agent.ts',
    from: 'return nowMs < dueMs ? wait(Math.min(againMs, dueMs)) : faulted(s, fault, nowMs);',
    to: 'return wait(againMs);',
  },
  {
    mistake: 'what hung is not wanted any more',
    story: 'liveHangDeaf',
    file: 'src/core/steps.ts',
    from: ' || interrupting.by === HANG',
    to: '',
  },
  {
    mistake: 'what hung ends when it is interrupted',
    story: 'liveHangEscaped',
    file: 'src/core/next-turn.ts',
    from: 'if (prompt.hungTurn === prompt.turn) return hung(prompt);',
    to: '',
  },
  {
    mistake: 'what hung before it spoke ends when it is interrupted',
    story: 'liveHangMute',
    file: 'src/core/next-agent.ts',
    from: 'by === HANG ? hung(p)',
    to: 's.seq < 0 ? hung(p)',
  },
  {
    mistake: 'what hangs again is interrupted again and again',
    story: 'liveHangForever',
    file: 'src/core/next-agent.ts',
    from: ' || isAgain)',
    to: ')',
  },
  {
    mistake: 'an interrupt that helps is not waited for',
    story: 'liveHangMute',
    file: 'src/core/next-agent.ts',
    from: 'if (s.interrupting !== null) {\n    // It may',
    to: "if (s.interrupting !== null && sight.screen.is === 'busy') {\n    // It may",
  },
  {
    mistake: "the text of what hung is taken for somebody else's",
    story: 'liveHangMute',
    file: 'src/core/fold-prompt.ts',
    from: 'stale: isCut ? saidOf(prompt) : s.stale',
    to: 'stale: s.stale',
  },
  {
    mistake: 'an interrupt goes on after its turn',
    story: 'liveHangMute',
    file: 'src/core/fold-prompt.ts',
    from: '...TURN_OVER,\n    stale: isCut',
    to: 'stale: isCut',
  },
  {
    mistake: 'nobody tells of the tools of what hung',
    story: 'liveHangEscaped',
    file: 'src/core/fold-prompt.ts',
    from: 'unknown: isCut ? s.calls : []',
    to: 'unknown: []',
  },
  {
    mistake: 'nobody tells of the tools of what broke off',
    story: 'liveHangDeaf',
    file: 'src/core/fold.ts',
    from: 'const unknown = s.calls.filter(({ id }) => !isWaiting(id));',
    to: 'const unknown = s.calls.filter(({ id }) => isWaiting(id) && false);',
  },
  {
    mistake: 'a person who interrupts a hang is not heeded',
    story: 'liveHangInterrupted',
    file: 'src/core/fold-agent.ts',
    from: 'hungTurn: by === HANG ? p.turn : 0',
    to: 'hungTurn: p.turn',
  },
  {
    mistake: 'what computes is taken for a hang',
    story: 'turnsComputes',
    file: 'src/core/next-agent.ts',
    from: 'if (isComputing || s.control !== null)',
    to: 'if (s.control !== null)',
  },
  {
    mistake: 'a quiet tool is taken for a hang',
    story: 'liveQuietTool',
    file: 'src/core/next-agent.ts',
    from: 'isQuietTool ? toolMsMax : thinkMsMax',
    to: 'thinkMsMax',
  },
  {
    mistake: 'a screen that moves counts as work',
    story: 'liveHangPinging',
    file: 'src/core/next-agent.ts',
    from: 'const { progressMs, isComputing, words } = sight.signs;',
    to: BY_SCREEN,
  },
  {
    mistake: 'a hang is never noticed',
    story: 'turnsHangMute',
    file: 'src/core/next-agent.ts',
    from: 'if (progressMs < limitMs) return wait',
    to: 'if (progressMs >= 0) return wait',
  },
];
