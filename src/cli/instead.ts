import { COMMON } from './base/command.ts';

/** Words that people try, and the commands that do what they mean. Words not here are compared with the commands. */
const INSTEAD: Readonly<Record<string, string>> = {
  abort: '`outlast interrupt S` ends the turn, `outlast stop S` the session',
  ask: '`outlast converse S "…"` asks a session, `outlast run "…"` a new one',
  cancel: '`outlast interrupt S` ends the turn, `outlast stop S` the session',
  cat: '`outlast logs S` shows what happened in a session, `outlast output S` what it printed',
  chat: '`outlast converse S "…"` asks and prints the reply, `outlast attach S` shows the screen',
  clone: '`outlast start --fork S` starts a session with a copy of the conversation of S',
  close: '`outlast stop S` ends a session',
  connect: '`outlast attach S` connects you to the screen of a session',
  continue: '`outlast resume S` continues a session, `outlast prompt S "…"` gives it more to do',
  copy: '`outlast start --fork S` starts a session with a copy of the conversation of S',
  cost: '`outlast usage` shows what agents used',
  create: '`outlast start` starts an agent, `outlast exec -b -- COMMAND` a command',
  delete: '`outlast remove S` deletes an ended session, `outlast stop S` ends a live one',
  down: '`outlast stop --all` ends all sessions, `outlast daemon stop` only the daemon',
  end: '`outlast stop S` ends a session',
  follow: '`outlast logs S --follow` follows a session, `outlast events --follow` the journal',
  fork: '`outlast start --fork S` starts a session with a copy of the conversation of S',
  history: '`outlast logs S` shows what happened in a session, `outlast search WORD` finds it',
  info: '`outlast show S` shows a session, `outlast doctor` checks the installation',
  inspect: '`outlast show S --json` has all details',
  join: '`outlast attach S` connects you to the screen of a session',
  journal: '`outlast events` reads the journal',
  log: '`outlast logs S` shows what happened in a session, `outlast daemon logs` is the log of the daemon',
  login: 'log in with the program of the agent itself; `outlast agents` lists the agents',
  message: '`outlast prompt S "…"` sends a prompt to an agent',
  monitor: '`outlast top` watches all sessions, `outlast logs S --follow` one session',
  new: '`outlast start` starts an agent, `outlast exec -b -- COMMAND` a command',
  open: '`outlast attach S` opens the screen of a session',
  pause: '`outlast handoff S` keeps prompts back until `outlast handoff S --back`',
  prune: '`outlast remove --ended --older-than 7d` removes old sessions',
  purge: '`outlast remove --ended` removes ended sessions',
  reboot: '`outlast boot` finds conversations that a reboot interrupted',
  reload: '`outlast config reload` makes the daemon read its config again',
  rename: 'a session keeps its name; give one at the start: `outlast start --name NAME`',
  restart: '`outlast daemon restart` restarts the daemon, `outlast resume S` an agent that has ended',
  revert: '`outlast diff S | git apply -R` undoes the changes of a session',
  send: '`outlast prompt S "…"` sends a prompt, `outlast keys S KEY…` presses keys',
  sessions: '`outlast list` lists the sessions',
  setup: '`outlast doctor` shows what is missing, `outlast service install` starts the daemon at boot',
  shell: '`outlast exec -c "LINE"` runs a command line',
  signal: '`outlast interrupt S` sends an interrupt, `outlast stop S` ends a session',
  stats: '`outlast usage` shows what agents used',
  status: '`outlast list` shows the sessions, `outlast daemon status` the daemon',
  steer: '`outlast prompt S --now "…"` adds a prompt to the running turn',
  tail: '`outlast logs S --tail 20` prints the last lines, with --follow also new ones',
  terminate: '`outlast stop S` ends a session',
  undo: '`outlast diff S | git apply -R` undoes the changes of a session',
  up: '`outlast daemon start` starts the daemon; every command that needs it does so too',
  update: 'update the package the way you installed it; then `outlast daemon restart` starts the new version',
  upgrade: 'update the package the way you installed it; then `outlast daemon restart` starts the new version',
  view: '`outlast show S` shows a session, `outlast screen S` its screen',
  watch: '`outlast top` watches all sessions, `outlast logs S --follow` one session',
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
