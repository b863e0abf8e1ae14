import { existsSync } from 'node:fs';
import type { Clock } from '../../base/clock.ts';
import { causeText } from '../../base/system-errors.ts';
import { ENVIRONMENT, type Env, findOnPath } from '../config/config.ts';
import { askBus } from './bus.ts';

const SERVICE = 'org.freedesktop.Notifications';
const ANSWER_MS_MAX = 2_500;

/** Whether a notification can be shown on the desktop of this machine; if not, why. */
export type Desktop = { readonly is: true } | { readonly is: false; readonly why: string };

/** Looks for a desktop that shows notifications. Nothing is shown and nothing is started. */
export async function findDesktop(clock: Clock, env: Env = ENVIRONMENT, platform = process.platform): Promise<Desktop> {
  if (platform === 'darwin') return { is: true };
  if (platform !== 'linux') return none(`there are no desktop notifications on ${platform}`);
  if (findOnPath('notify-send', env.PATH) === null) return none('notify-send is not installed');
  const address = busAddress(env);
  if (address === null) return none('there is no session bus');
  const answered = new AbortController();
  const late = new AbortController();
  void clock.sleep(ANSWER_MS_MAX, answered.signal).then(() => late.abort());
  try {
    const { hasOwner, canStart } = await askBus(address, SERVICE, late.signal);
    const hasScreen = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
    return hasOwner || (canStart && hasScreen) ? { is: true } : none('no program shows notifications here');
  } catch (error) {
    return none(`cannot query the session bus: ${causeText(error)}`);
  } finally {
    answered.abort();
  }
}

/** The environment for notify-send: a daemon that was not started from the desktop does not know its bus. */
export function desktopEnvironment(env: Env = ENVIRONMENT): Env {
  const address = busAddress(env);
  return address === null ? env : { ...env, DBUS_SESSION_BUS_ADDRESS: address };
}

/** The command that shows a desktop notification. Our text is an argument, never an option and never a script. */
export function desktopArgv(platform: string, title: string, body: string): readonly [string, ...string[]] {
  if (platform !== 'darwin') return ['notify-send', '--app-name=Outlast', '--', title, escapeMarkup(body)];
  const script = ['on run argv', 'display notification (item 2 of argv) with title (item 1 of argv)', 'end run'];
  return ['osascript', ...script.flatMap((line) => ['-e', line]), '--', title, body];
}

/** As systemd and the desktops set it; `disabled:` is the word for none. */
function busAddress(env: Env): string | null {
  if (env.DBUS_SESSION_BUS_ADDRESS === 'disabled:') return null;
  if (env.DBUS_SESSION_BUS_ADDRESS) return env.DBUS_SESSION_BUS_ADDRESS;
  const usual = `${env.XDG_RUNTIME_DIR || `/run/user/${process.getuid?.()}`}/bus`;
  return existsSync(usual) ? `unix:path=${usual}` : null;
}

function none(why: string): Desktop {
  return { is: false, why };
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
