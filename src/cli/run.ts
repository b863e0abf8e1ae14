import { closest } from '../base/closest.ts';
import { type Clock, realClock } from '../client/clock.ts';
import { connect, OutlastError } from '../client/index.ts';
import type { Command, Context } from './base/command.ts';
import { EXIT, errorStatus } from './base/exit.ts';
import { type Parsed, parseWords, wrongCall } from './base/parse.ts';
import {
  COLOURS,
  descriptorSink,
  errorText,
  failedWriteText,
  isClosedPipe,
  isFailedWrite,
  Print,
} from './base/print.ts';
import { commandsOf, findCommand, TABLE } from './table.ts';

/** The environment of the command line; tests have their own. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly print: Print;
}

/** The real world: this process. */
export function realWorld(): World {
  const clock = realClock();
  return { env: process.env, clock, print: new Print(descriptorSink(1, clock), descriptorSink(2, clock), process.env) };
}

/** Runs a command line and returns its exit status. */
export async function run(argv: readonly string[], world: World): Promise<number> {
  let failure: number | undefined;
  let json = argv.slice(0, [...argv, '--'].indexOf('--')).includes('--json');
  try {
    if (argv.length === 0) return await greet(world);
    const [first = '', second] = argv;
    if (first === '--version') return await say(world, (await import('./base/version.ts')).version());
    if (first === '--help' || first === '-h')
      return await say(world, (await import('./help.ts')).overview(world.print));
    const found = findCommand(argv);
    if (found === null) return await withoutCommand(first, second, world);
    const command = await found.row.load();
    failure = command.failure;
    const parsed = parseWords(command, found.rest);
    json = parsed.values.json === true;
    return await runCommand(command, parsed, world);
  } catch (error) {
    if (isClosedPipe(error)) return EXIT_PIPE;
    await report(error, json, world.print);
    if (isFailedWrite(error)) return failure ?? EXIT.failed;
    return error instanceof OutlastError ? (failure ?? errorStatus(error)) : errorStatus(error);
  }
}

// 128 plus SIGPIPE, as a shell reports it.
const EXIT_PIPE = 141;

/** Without a command: at a terminal what runs and what to do, else the help. Starts no daemon. */
async function greet(world: World): Promise<number> {
  if (world.print.stdout.isTty) {
    const { home } = await import('./home.ts');
    const page = await home(world);
    if (page !== null) return say(world, page);
  }
  return say(world, (await import('./help.ts')).overview(world.print));
}

async function runCommand(command: Command, parsed: Parsed, world: World): Promise<number> {
  world.print.colour(coloursOf(command, parsed.values.color));
  if (parsed.values.help) {
    const { commandFacts, commandHelp } = await import('./help.ts');
    return say(world, parsed.values.json ? JSON.stringify(commandFacts(command)) : commandHelp(command, world.print));
  }
  const context: Context = {
    ...world,
    values: parsed.values as Context['values'],
    words: parsed.words,
    behind: parsed.behind,
    json: parsed.values.json === true,
    connect: (options) => connect({ env: world.env, tell: (text) => void tell(world.print, text), ...options }),
  };
  return command.run(context);
}

function coloursOf({ name }: Command, given: Parsed['values'][string]): (typeof COLOURS)[number] {
  const found = COLOURS.find((when) => when === (given ?? 'auto'));
  if (found === undefined) throw wrongCall(`${name}: --color: "${given}" is not one of ${COLOURS.join(', ')}`);
  return found;
}

/** Prints beside the output of the command; a failure to do so is ignored. */
async function tell(print: Print, text: string): Promise<void> {
  // A spinner may be on the line.
  const clear = print.stderr.isTty ? print.stderr.write('\r\x1b[K') : Promise.resolve();
  await clear.then(() => print.note(`outlast: ${text}`)).catch(() => {});
}

async function withoutCommand(first: string, second: string | undefined, world: World): Promise<number> {
  const group = commandsOf(first);
  const names = [...new Set(Object.keys(TABLE).map((name) => name.split(' ')[0] ?? name))];
  if (group.length > 0) {
    const { groupHelp } = await import('./help.ts');
    if (second === '--help' || second === '-h') return say(world, groupHelp(first, world.print));
    const verbs = group.map((name) => name.split(' ')[1] ?? name);
    if (second === undefined) throw wrongCall(`${first}: missing command, one of ${verbs.join(', ')}`);
    const hint = suggestion(closest(second, verbs), `choose one of ${verbs.join(', ')}`);
    throw wrongCall(`${first}: unknown command "${second}"; ${hint}`);
  }
  const { instead } = await import('./instead.ts');
  throw wrongCall(instead(first, second, closest(first, names)));
}

function suggestion(near: string | null, otherwise: string): string {
  return near === null ? otherwise : `did you mean "${near}"?`;
}

async function say(world: World, text: string): Promise<number> {
  await world.print.line(text);
  return EXIT.fine;
}

async function report(error: unknown, json: boolean, print: Print): Promise<void> {
  const code = error instanceof OutlastError ? error.code : 'internal';
  const message = error instanceof Error ? error.message : String(error);
  const hint = hintOf(error);
  // Where the output cannot be written, the error cannot either.
  const unwritten = (why: unknown) => print.note(`outlast: ${failedWriteText(why)}`).catch(() => {});
  if (isFailedWrite(error)) return unwritten(error);
  if (json) return print.json({ error: { code, message, hint } }).catch(unwritten);
  // A wrong call is explained by its message; the general hint would only repeat it.
  await print.note(errorText({ message, hint: code === 'input_invalid' ? '' : hint }));
}

function hintOf(error: unknown): string {
  if (error instanceof OutlastError) return error.hint;
  return 'This is a bug in Outlast. Please report it with the line above.';
}
