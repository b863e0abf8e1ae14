import type { Hold } from '../../core/session.ts';
import type { Dialog } from './screen.ts';

const NEEDS: Readonly<Record<Dialog, string>> = {
  trust: 'Claude Code asks whether this folder is trusted. Start it with --trust, or attach and answer.',
  'api-key': 'Claude Code asks whether to use the API key of the environment. Attach and answer.',
  bypass: 'Claude Code warns that no permission will be asked for. Attach and answer.',
  login: 'Claude Code asks to log in. Attach and do so.',
  theme: 'Claude Code is new here and asks how it should look. Attach and answer.',
  permission: 'Claude Code asks whether a tool may run. Attach and answer.',
  question: 'The agent asks a question. Attach and answer.',
  plan: 'The agent shows a plan and asks whether to go on. Attach and answer.',
  model: 'A choice of models is open. Attach and choose, or press Escape there.',
  resume: 'A choice of conversations is open. Attach and choose, or press Escape there.',
  limit:
    'Claude Code asks what to do about its usage limit. Attach and answer, or wait: after the limit it is begun anew.',
  other: 'A dialog is open that we do not know. Attach and see.',
};

const ABOUT: Partial<Readonly<Record<Dialog, Pick<Hold, 'about'>>>> = {
  permission: { about: 'tool' },
  limit: { about: 'limit' },
};

/** What a person is needed for when this dialog is open. */
export function holdOf(dialog: Dialog): Hold {
  return { kind: dialog, ...ABOUT[dialog], text: NEEDS[dialog] };
}
