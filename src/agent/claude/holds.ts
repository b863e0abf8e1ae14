import type { Hold } from '../../core/session.ts';
import type { Dialog } from './screen.ts';

const NEEDS: Readonly<Record<Dialog, string>> = {
  trust: 'Claude Code asks whether to trust this folder. Start it with --trust, or attach and answer.',
  'api-key': 'Claude Code asks whether to use the API key of the environment. Attach and answer.',
  bypass: 'Claude Code warns that it will not ask for permission. Attach and answer.',
  login: 'Claude Code asks to log in. Attach and log in.',
  theme: 'Claude Code runs here for the first time and asks for a theme. Attach and answer.',
  permission: 'Claude Code asks whether a tool may run. Attach and answer.',
  question: 'The agent asks a question. Attach and answer.',
  plan: 'The agent shows a plan and asks whether to continue. Attach and answer.',
  model: 'The model menu is open. Attach and choose, or press Escape there.',
  resume: 'The conversation menu is open. Attach and choose, or press Escape there.',
  limit:
    'Claude Code asks what to do about its usage limit. Attach and answer, or wait: it is restarted after the limit.',
  other: 'An unknown dialog is open. Attach and answer it.',
};

const ABOUT: Partial<Readonly<Record<Dialog, Pick<Hold, 'about'>>>> = {
  permission: { about: 'tool' },
  limit: { about: 'limit' },
};

/** Why a person is needed while this dialog is open. */
export function holdOf(dialog: Dialog): Hold {
  return { kind: dialog, ...ABOUT[dialog], text: NEEDS[dialog] };
}
