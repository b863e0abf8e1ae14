import { COMMON } from './base/command.ts';

/** Words that people try, and the commands that do what they mean. Words not here are compared with the commands. */
const INSTEAD: Readonly<Record<string, string>> = {
  abort: '`outlast interrupt S` ends the turn, `outlast stop S` the session',
  ask: '`outlast converse S "…"` asks a session, `outlast run "…"` a new one',
  cancel: '`outlast interrupt S` ends the turn, `outlast stop S` the session',
  cat: '`outlast output S` prints what a session printed',
  chat: '`outlast converse S "…"` asks and prints the reply, `outlast attach S` shows the screen',
  close: '`outlast stop S` ends a session',
  connect: '`outlast attach S` connects you to the screen of a session',
  continue: '`outlast resume S` continues a session, `outlast prompt S "…"` gives it more to do',
  create: '`outlast start` starts an agent, `outlast exec -b -- COMMAND` a command',
  delete: '`outlast remove S` deletes an ended session, `outlast stop S` ends a live one',
  down: '`outlast stop --all` ends all sessions, `outlast daemon stop` only the daemon',
  end: '`outlast stop S` ends a session',
  follow: '`outlast output S --follow` follows the output, `outlast events --follow` the journal',
  info: '`outlast show S` shows a session, `outlast doctor` checks the installation',
  inspect: '`outlast show S --json` has all details',
  join: '`outlast attach S` connects you to the screen of a session',
  journal: '`outlast events` reads the journal',
  log: '`outlast output S` prints what a session printed, `outlast events S` what happened to it',
  login: 'log in with the program of the agent itself; `outlast agents` lists the agents',
  message: '`outlast prompt S "…"` sends a prompt to an agent',
  monitor: '`outlast list` lists the sessions, `outlast events --follow` follows what happens',
  new: '`outlast start` starts an agent, `outlast exec -b -- COMMAND` a command',
  open: '`outlast attach S` opens the screen of a session',
  pause: '`outlast handoff S` keeps prompts back until `outlast handoff S --back`',
  prune: '`outlast remove --ended --older-than 7d` removes old sessions',
  purge: '`outlast remove --ended` removes ended sessions',
  reboot: '`outlast boot` finds conversations that a reboot interrupted',
  reload: '`outlast daemon restart` makes the daemon read its config again',
  restart: '`outlast daemon restart` restarts the daemon, `outlast resume S` an agent that has ended',
  sessions: '`outlast list` lists the sessions',
  send: '`outlast prompt S "…"` sends a prompt, `outlast keys S KEY…` presses keys',
  setup: '`outlast doctor` shows what is missing, `outlast service install` starts the daemon at boot',
  shell: '`outlast exec -c "LINE"` runs a command line',
  signal: '`outlast interrupt S` sends an interrupt, `outlast stop S` ends a session',
  stats: '`outlast usage` shows what agents used',
  status: '`outlast list` shows the sessions, `outlast daemon status` the daemon',
  steer: '`outlast prompt S --now "…"` adds a prompt to the running turn',
  tail: '`outlast output S --tail 20` prints the last lines, with --follow also new ones',
  terminate: '`outlast stop S` ends a session',
  up: '`outlast daemon start` starts the daemon; every command that needs it does so too',
  update: 'update the package the way you installed it; then `outlast daemon restart` starts the new version',
  upgrade: 'update the package the way you installed it; then `outlast daemon restart` starts the new version',
  view: '`outlast show S` shows a session, `outlast screen S` its screen',
  watch: '`outlast events --follow` follows what happens, `outlast output S --follow` one session',
};

/** The message about a word that is no command; `near` is the most similar command. */
export function instead(word: string, next: string | undefined, near: string | null): string {
  if (word.startsWith('-')) return asOption(word, next);
  const known = Object.hasOwn(INSTEAD, word) ? INSTEAD[word] : undefined;
  if (known !== undefined) return `there is no command "${word}"; ${known}`;
  // A prompt without a command is one argument with spaces.
  if (/\s/.test(word)) return `"${word.slice(0, 40)}" is not a command; to run an agent on it: outlast run "…"`;
  return `unknown command "${word}"; ${near === null ? 'see `outlast help`' : `did you mean "${near}"?`}`;
}

function asOption(word: string, next: string | undefined): string {
  const [name = ''] = word.replace(/^--?/, '').split('=');
  const isCommon = Object.hasOwn(COMMON, name) || name === 'colour';
  if (isCommon) return `${word} comes after the command: outlast ${next ?? 'list'} ${word}`;
  if (/^-[vV]$/.test(word)) return `unknown option "${word}"; the version is in \`outlast --version\``;
  return `unknown option "${word}"; see \`outlast help\``;
}
