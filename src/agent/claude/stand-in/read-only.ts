import { type Fields, textOf } from './json.ts';

const COMMAND = /^(true|ls|cat|pwd|echo|date|whoami|ps|find|grep|head|tail|wc|git (status|log|diff))\b[^<>|;&$`\n]*$/;
const OUTSIDE = /(^|\s)(\/|~)|\.\./;
const NEVER_ASKED = ['Read', 'Agent', 'Task', 'TaskCreate', 'TaskList'];

/** Tells whether the agent takes a call for one that changes nothing. It asks nobody about those by itself. */
export function isReadOnly(tool: string, input: Fields): boolean {
  if (tool !== 'Bash') return NEVER_ASKED.includes(tool);
  const command = textOf(input.command) ?? '';
  return COMMAND.test(command) && !OUTSIDE.test(command);
}
