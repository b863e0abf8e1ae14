import type { Clock } from '../../../base/clock.ts';
import { KeyReader, type Press } from './keys.ts';

/** Callbacks for events of the terminal. */
export interface Listener {
  pressed(presses: readonly Press[]): void;
  resized(): void;
  /** A signal, or the end of the terminal. */
  ended(status: number): void;
}

const ESCAPE_MS = 30;

/** Listens to the keyboard, the size of the window and the signals. */
export function listenToTerminal(clock: Clock, listener: Listener, hangupStatus: number): void {
  const { stdin, stdout } = process;
  const keys = new KeyReader();
  stdin.setRawMode(true);
  stdin.on('data', (bytes: Buffer) => {
    listener.pressed(keys.read(bytes));
    // A lone ESC is the Escape key, unless the rest of a sequence follows at once.
    if (keys.isPending) void clock.sleep(ESCAPE_MS).then(() => listener.pressed(keys.flush()));
  });
  stdin.on('end', () => listener.ended(hangupStatus));
  stdin.on('error', () => listener.ended(hangupStatus));
  stdout.on('resize', () => listener.resized());
  process.on('SIGTERM', () => listener.ended(143));
  process.on('SIGHUP', () => listener.ended(hangupStatus));
  process.on('SIGINT', () => listener.ended(0));
}
