import type { LaunchFile } from '../../core/launch.ts';
import type { AskPlan } from '../seam/gate.ts';

/** Copilot gives up on a hook this long after the question's own deadline. */
const SPARE_SECONDS = 10;

/**
 * The files of a home for one run, with the conversations and instructions of the user's home, but without its
 * settings, hooks, plugins and servers: any of those could allow a call. The file with the login may name trusted
 * folders, whose own servers and hooks are started. The databases of this home are its own.
 */
export function privateHome(home: string, ask: AskPlan): readonly LaunchFile[] {
  const hook = { type: 'command', bash: hookScript(ask), timeoutSec: ask.secondsMax + SPARE_SECONDS };
  return [
    { name: 'hooks/outlast.json', text: JSON.stringify({ version: 1, hooks: { preToolUse: [hook] } }) },
    { name: 'copilot-instructions.md', linkTo: `${home}/copilot-instructions.md` },
    { name: 'session-state', linkTo: `${home}/session-state`, makes: 'folder' },
  ];
}

const NOBODY = '{"permissionDecision":"deny","permissionDecisionReason":"Outlast could not be asked."}';

/**
 * Asks, and if the answer is yes, asks whether exactly this call may be made now. It always prints an answer: without
 * one, Copilot does what needs no permission, such as a command that only reads.
 */
function hookScript({ command, confirm, strict }: AskPlan): string {
  if (!strict) return command;
  const isYes = `'{"permissionDecision":"allow"'*`;
  const isNo = `'{"permissionDecision":"deny"'*`;
  return [
    `say() { case $1 in ${isNo}) printf '%s\\n' "$1" ;; *) printf '%s\\n' '${NOBODY}' ;; esac; }`,
    'payload=$(cat)',
    `first=$(printf '%s' "$payload" | ( ${command} ))`,
    `case $first in ${isYes}) ;; *) say "$first"; exit 0 ;; esac`,
    `second=$(printf '{"confirms":true,"asked":%s,"answer":%s}' "$payload" "$first" | ( ${confirm} ))`,
    `case $second in ${isYes}) printf '%s\\n' "$first" ;; *) say "$second" ;; esac`,
  ].join('\n');
}
