import type { AskDialog } from './agent.ts';
import { textOf } from './json.ts';

/** A dialog: its rows above the answers, the answers, which of them is preselected, and its foot. */
export interface Dialog {
  readonly rows: readonly string[];
  readonly answers: readonly string[];
  readonly chosen: number;
  readonly foot: readonly string[];
  /** The answers that let the agent continue. */
  readonly agreeing: readonly number[];
}

const FOOT = ['', ' Enter to confirm · Esc to cancel'];

/** The dialogs at the start. Their preselected answer is always the refusing one. */
export function startDialog(name: string, cwd: string): Dialog {
  const refusing = { chosen: 0, agreeing: [1], foot: FOOT };
  switch (name) {
    case 'trust':
      return {
        ...refusing,
        rows: [' Accessing workspace:', '', ` ${cwd}`, '', ' Quick safety check: is this a project you trust?', ''],
        answers: ['No, exit', 'Yes, I trust this folder'],
      };
    case 'bypass':
      return {
        ...refusing,
        rows: [
          '  WARNING: Claude Code running in Bypass Permissions mode',
          '',
          '  It will not ask before it acts.',
          '',
        ],
        answers: ['No, exit', 'Yes, I accept'],
      };
    case 'theme':
      return {
        ...refusing,
        rows: [' Choose the text style that looks best with your terminal', ''],
        answers: ['1. Auto (match terminal)', '2. Dark mode', '3. Light mode'],
        agreeing: [1, 2],
        foot: ['', ' 1  function greet() {', ' 2    console.log("Hello, Claude!");', ' 3  }'],
      };
    case 'login':
      return {
        ...refusing,
        rows: [' Select login method:', ''],
        answers: ['1. Claude account with subscription', '2. Anthropic Console account'],
      };
    case 'update':
      return {
        ...refusing,
        rows: [' This version is too old to go on.', ''],
        answers: ['Exit', 'Update now'],
      };
    default:
      return { ...refusing, rows: [' A dialog that no version has', ''], answers: ['Stop', 'Go'], foot: [''] };
  }
}

/** The dialog that a second Escape in an empty box opens. */
export const REWIND: Dialog = {
  rows: [' Rewind', '', ' Restore the code and/or conversation to the point before…', ''],
  answers: ['(current)'],
  chosen: 0,
  agreeing: [],
  foot: ['', ' Enter to continue · Esc to exit'],
};

/** The dialogs in the middle of a turn. */
export function askDialog({ kind, tool, input }: AskDialog): Dialog {
  if (kind === 'question')
    return {
      rows: [' ☐ Question', '', 'Which one?', ''],
      answers: ['1. The first', '2. The second'],
      chosen: 0,
      agreeing: [0, 1],
      foot: ['', 'Enter to select · ↑/↓ to navigate · Esc to cancel'],
    };
  const command = textOf(input.command) ?? textOf(input.file_path) ?? '';
  const about = textOf(input.description) ?? '';
  return {
    rows: [` ${tool === 'Bash' ? 'Bash command' : tool}`, ` ${about}`, ` ${command}`, ' Do you want to proceed?'],
    answers: ['1. Yes', '2. Yes, and always allow it from this project', '3. No'],
    chosen: 0,
    agreeing: [0, 1],
    foot: ['', ' Esc to cancel · Tab to amend'],
  };
}

/** The rows of a dialog on the screen. */
export function dialogRows(dialog: Dialog, chosen: number): string[] {
  const answers = dialog.answers.map((answer, i) => ` ${i === chosen ? '❯' : ' '} ${answer}`);
  return [...dialog.rows, ...answers, ...dialog.foot];
}
