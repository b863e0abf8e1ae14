import { readScreen, type Screen } from '../../src/agent/claude/screen.ts';
import type { StateFile } from '../../src/agent/claude/state-file.ts';
import type { Terminal } from '../../src/terminal/terminal.ts';
import { eventually } from '../eventually.ts';
import type { ClaudeWorld } from './claude-world.ts';

/** A Claude Code in full-screen mode, as a person sees and uses it. */
export interface LiveClaude {
  /** The process that was started. */
  pid(): Promise<number | null>;
  snapshot(): Promise<TerminalSnapshot>;
  screen(): Promise<Screen>;
  press(...keys: string[]): Promise<void>;
  /** Pastes a prompt, presses Enter, and waits until Claude Code has accepted it. */
  submit(prompt: string): Promise<void>;
  /** Pastes a command of Claude Code and presses Enter. No hook reports commands. */
  submitCommand(command: string): Promise<void>;
  /** Waits until the process has ended. */
  end(): Promise<TerminalSnapshot>;
  until(is: Screen['is']): Promise<Screen>;
  untilStatus(status: StateFile['status']): Promise<StateFile>;
}

type Open = Parameters<ClaudeWorld['live']>;
type TerminalSnapshot = Awaited<ReturnType<Terminal['look']>>;

const START_MS_MAX = 30_000;
/** An accepted Enter is mostly reported within a tenth of this. An extra one does no harm. */
const ENTER_MS_MAX = 2_000;

/** Starts it, without waiting for its first screen. */
export async function liveClaude(world: ClaudeWorld, ...open: Open): Promise<LiveClaude> {
  const ref = await world.live(...open);
  const { terminal } = world.tmux;
  const snapshot = (): Promise<TerminalSnapshot> => terminal.look(ref);
  const screen = async (): Promise<Screen> => readScreen((await terminal.screen(ref)).rows);
  const press = async (...keys: string[]): Promise<void> => void (await terminal.write(ref, { kind: 'keys', keys }));
  const prompts = (): number => world.hooks().filter((hook) => hook.hook_event_name === 'UserPromptSubmit').length;
  return {
    snapshot,
    screen,
    press,
    pid: async () => {
      const seen = await snapshot();
      return seen.is === 'alive' ? seen.pid : null;
    },
    submit: async (prompt) => {
      const before = prompts();
      await terminal.write(ref, { kind: 'paste', text: prompt });
      await press('enter');
      const isTaken = (msMax: number) =>
        eventually(() => prompts() > before, { msMax, what: 'the hook of the prompt' });
      // 2.1.197 loses an Enter that comes right after its start; the text stays in the box.
      await isTaken(ENTER_MS_MAX).catch(() => press('enter'));
      await isTaken(START_MS_MAX);
    },
    submitCommand: async (command) => {
      await terminal.write(ref, { kind: 'paste', text: command });
      await press('enter');
    },
    end: () => eventually(async () => ((await snapshot()).is === 'dead' ? snapshot() : null), { what: 'the end' }),
    until: (is) =>
      eventually(async () => ((await screen()).is === is ? await screen() : null), {
        msMax: START_MS_MAX,
        what: `a screen that is ${is}`,
      }),
    untilStatus: (status) =>
      eventually(() => (world.stateFile()?.status === status ? world.stateFile() : null), {
        msMax: START_MS_MAX,
        what: `the status ${status}`,
      }),
  };
}
