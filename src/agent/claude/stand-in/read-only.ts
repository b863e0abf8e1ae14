import { type Fields, textOf } from './json.ts';

const COMMAND = /^(true|ls|cat|pwd|echo|date|whoami|ps|find|grep|head|tail|wc|git (status|log|diff))\b[^<>|;&$`\n]*$/;
const OUTSIDE = /(^|\s)(\/|~)|\.\./;
const NEVER_ASKED = ['Read', 'Agent', 'Task', 'TaskCreate', 'TaskList'];

/** True for a call that the agent considers read-only. It runs these without a question. */
export function isReadOnly(tool: string, input: Fields): boolean {
  if (tool !== 'Bash') return NEVER_ASKED.includes(tool);
  const command = textOf(input.command) ?? '';
  return COMMAND.test(command) && !OUTSIDE.test(command);
}
