import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import type { Grant } from '../api/grants.ts';

interface Pattern {
  readonly title: string;
  readonly description: string;
  /** Its arguments, each with a description. */
  readonly takes: Readonly<Record<string, string>>;
  text(given: Readonly<Record<string, string>>): string;
}

/** The common patterns, as docs/guides/patterns.md has them for the command line. */
const PATTERNS: Readonly<Record<string, Pattern>> = {
  delegate: {
    title: 'Delegate and wait',
    description: 'Run an agent on one prompt, and use its reply.',
    takes: { what: 'What it should do.' },
    text: ({ what }) =>
      [
        'Delegate this to another agent: call session_start with keepOpen=false and this prompt:',
        quoted(what),
        'Then session_wait for=reply:PROMPT with the id you got. After "No reply yet", wait again: it keeps running.',
        '(Inside an Outlast session, use session_spawn instead, and end your turn: you get a prompt when it ends.)',
        'Read what it did with session_turn, check it, and tell me the result.',
      ].join('\n'),
  },
  'fan-out': {
    title: 'Fan out, and wait for all',
    description: 'Several agents in parallel, each with a part.',
    takes: { what: 'What they should do together.', parts: 'The parts, one per line.' },
    text: ({ what, parts }) =>
      [
        'Do this with several agents at once:',
        quoted(what),
        'One session_start with keepOpen=false for each of these parts, each with a self-contained prompt:',
        quoted(parts),
        'When all are started, session_wait for=reply on each. Report what each found, and which did not answer.',
      ].join('\n'),
  },
  pipeline: {
    title: 'A pipeline',
    description: 'Steps that use the previous reply.',
    takes: { steps: 'The steps, one per line.' },
    text: ({ steps }) =>
      [
        'Do these steps one after the other, each with another agent:',
        quoted(steps),
        'Start all of them now with session_start keepOpen=false, each with a name, and from the second on with',
        'after=[NAME] of the one before and {{NAME.reply}} in the prompt where its reply belongs.',
        'They continue without you. Wait for the last with session_wait for=reply, and report its reply.',
      ].join('\n'),
  },
  converse: {
    title: 'A supervised conversation',
    description: 'Lead an agent step by step, and check each step.',
    takes: { goal: 'The goal.' },
    text: ({ goal }) =>
      [
        'Lead an agent to this, step by step:',
        quoted(goal),
        'Start one with session_start and no prompt. Give it one step at a time with session_converse, read its reply,',
        'look at what it did with session_turn, and only then give the next one. Use session_stop when it is done.',
      ].join('\n'),
  },
  background: {
    title: 'A long command',
    description: 'Run a long command, and continue with other work.',
    takes: { command: 'The command.' },
    text: ({ command }) =>
      [
        'Run this with exec and background=true, and continue with something else:',
        quoted(command),
        'Inside an Outlast session you get a prompt when it ends; otherwise wait for it: session_wait for=ended.',
        'When it has ended, tell me how, and what it printed.',
      ].join('\n'),
  },
};

/** Which grants a pattern needs. */
const NEEDED: Readonly<Record<string, Grant>> = { background: 'exec' };

/** Offers the patterns as prompts. */
export function offerPrompts(server: Server, grants: ReadonlySet<Grant>): void {
  const offered = Object.entries(PATTERNS).filter(([name]) => grants.has(NEEDED[name] ?? 'prompt'));
  server.setRequestHandler('prompts/list', () => ({
    prompts: offered.map(([name, { title, description, takes }]) => ({
      name,
      title,
      description,
      arguments: Object.entries(takes).map(([key, says]) => ({ name: key, description: says, required: true })),
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const [, pattern] = offered.find(([name]) => name === params.name) ?? [];
    if (pattern === undefined) throw wrong(`there is no prompt "${params.name}"`);
    const given = params.arguments ?? {};
    const missing = Object.keys(pattern.takes).filter((key) => (given[key] ?? '').trim() === '');
    const unknown = Object.keys(given).filter((key) => !Object.hasOwn(pattern.takes, key));
    if (missing.length > 0) throw wrong(`the prompt ${params.name} needs ${missing.join(', ')}`);
    if (unknown.length > 0) throw wrong(`the prompt ${params.name} takes no ${unknown.join(', ')}`);
    const { description } = pattern;
    return { description, messages: [{ role: 'user', content: { type: 'text', text: pattern.text(given) } }] };
  });
}

function quoted(text = ''): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

function wrong(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
