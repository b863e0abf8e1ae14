import type { ApprovalView } from '../../api/contract-approvals.ts';
import { leftText } from '../../present/approval.ts';
import { harmless, oneLine, revealed } from '../../present/harmless.ts';
import { nameOf } from '../../present/state.ts';
import type { Print as Printer } from '../base/print.ts';

type Print = Pick<Printer, 'style'>;

/** An approval for a person: who asks, how long it waits, and the full input of the tool. */
export function approvalLines(asked: ApprovalView, print: Print): string[] {
  const who = oneLine(nameOf({ name: asked.name, id: asked.session }));
  const tool = print.style('cyan', oneLine(asked.tool));
  const head = `${print.style('bold', asked.id)}  ${tool}  ${who}  ${leftText(asked)}`;
  const facts = [
    ['folder', asked.workspace],
    ...(asked.subagent === null ? [] : [['sub-agent', asked.subagent]]),
    ['asked', asked.why],
  ];
  return [
    head,
    ...facts.map(([name = '', value = '']) => `  ${print.style('dim', name.padEnd(11))} ${revealed(oneLine(value))}`),
    ...inputLines(asked, print).map((line) => `  ${line}`),
  ];
}

function inputLines({ input, diff, diffFields = [] }: ApprovalView, print: Print): string[] {
  const isShown = diff !== null && diff !== '';
  const fields = typeof input === 'object' && input !== null ? Object.entries(input) : [['input', input] as const];
  return [
    ...fields
      .filter(([name]) => !isShown || !diffFields.includes(name))
      .flatMap(([name, value]) => fieldLines(name, value, print)),
    ...(isShown ? plainLines(diff).map((line) => coloured(line, print)) : []),
  ];
}

function fieldLines(name: string, value: unknown, print: Print): string[] {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'null');
  const [first = '', ...rest] = plainLines(text);
  const label = print.style('dim', revealed(oneLine(name)).padEnd(11));
  return [`${label} ${first}`, ...rest.map((line) => `            ${line}`)];
}

function plainLines(text: string): string[] {
  return revealed(harmless(text)).split('\n');
}

function coloured(line: string, print: Print): string {
  if (line.startsWith('+')) return print.style('green', line);
  return line.startsWith('-') ? print.style('red', line) : line;
}
