import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { realClock } from '../../../base/clock.ts';
import { Agent } from './agent.ts';
import { type Options, parseArgs } from './args.ts';
import { deferredIn } from './deferral.ts';
import { readSettings, type Settings } from './hook-settings.ts';
import { hookCaller } from './hooks.ts';
import type { Fields } from './json.ts';
import { type Manners, readManners } from './manners.ts';
import { findTranscript, idOfTranscript, transcriptPath, VERSION } from './places.ts';
import { runPrint } from './print.ts';
import { noStateFile, stateFile } from './state-file.ts';
import { copyTranscript, readTranscript } from './transcript.ts';
import { runTui } from './tui.ts';

/** The conversation of a command line, or the error if there is none. */
type Found =
  | { readonly ok: true; readonly id: string; readonly path: string; readonly past: Fields[]; readonly source: string }
  | { readonly ok: false; readonly message: string };

interface Setting {
  readonly options: Options;
  readonly config: string;
  readonly manners: Manners;
  readonly settings: Settings;
}

const NO_INPUT = 'Error: Input must be provided either through stdin or as a prompt argument when using --print';
const NO_MARKER =
  'Error: No deferred tool marker found in the resumed session. Either the session was not deferred, the marker is ' +
  'stale (tool already ran), or it exceeds the tail-scan window. Provide a prompt to continue the conversation.';

/** The part of the help text that tests read. */
const HELP = '  --permission-mode <mode>  (choices: "acceptEdits", "bypassPermissions", "default", "dontAsk", "plan")';

const clock = realClock();

process.stdout.on('error', () => {});
void main(process.argv.slice(2)).then(leave);

async function main(args: readonly string[]): Promise<number> {
  const parsed = parseArgs(args);
  if (parsed.is === 'version') return tell(`${VERSION} (Claude Code)`);
  if (parsed.is === 'help') return tell(HELP);
  if (parsed.is === 'refused') return refuse(parsed.message);
  // Without a terminal there is no screen to draw on.
  const options = { ...parsed.options, print: parsed.options.print || !process.stdin.isTTY };
  const config = process.env.CLAUDE_CONFIG_DIR ?? join(homedir(), '.outlast-scripted');
  const manners = readManners(config);
  await clock.sleep(manners.startMs);
  const settings = readSettings(options, process.cwd());
  if (settings === null) return refuse(`Error: Settings file not found: ${options.settings}`);
  const prompt = options.print ? await promptOf(options) : options.prompt;
  const isEmpty = (prompt ?? '').trim() === '';
  if (options.print && isEmpty && options.resume === null) return refuse(NO_INPUT);
  const found = conversationOf(options, config);
  if (!found.ok) return refuse(found.message);
  const deferred = deferredIn(found.past);
  if (options.print && isEmpty && deferred === null) return refuse(NO_MARKER);
  const agent = agentOf({ options, config, manners, settings }, found);
  if (!options.print) return runTui(agent, { source: found.source, past: found.past, prompt });
  agent.parts.state.begin();
  await agent.hook('SessionStart', { source: found.source }, found.source);
  agent.parts.state.set('idle');
  return runPrint(agent, { deferred, prompt: isEmpty ? null : prompt }, (text) => process.stdout.write(text));
}

function agentOf({ options, config, manners, settings }: Setting, found: Found & { ok: true }): Agent {
  const cwd = process.cwd();
  const { env } = process;
  const entrypoint = options.print ? 'sdk-cli' : 'cli';
  const marks = { CLAUDE_PID: String(process.pid), CLAUDE_PROJECT_DIR: cwd, CLAUDE_CODE_ENTRYPOINT: entrypoint };
  const hooks = hookCaller({ rules: settings.hooks, manners, clock, cwd, env: { ...env, ...marks } });
  const about = { config, conversation: found.id, cwd, interactive: !options.print, clock };
  const state = manners.stateFile ? stateFile(about) : noStateFile();
  return new Agent({ options, clock, env, cwd, config, manners, hooks, asked: settings.asked, state }, found);
}

function conversationOf(options: Options, config: string): Found {
  const fresh = options.sessionId ?? randomUUID();
  const path = transcriptPath(config, process.cwd(), fresh);
  if (options.sessionId !== null && findTranscript(config, options.sessionId) !== null)
    return { ok: false, message: `Error: Session ID ${options.sessionId} is already in use.` };
  if (options.resume === null) return { ok: true, id: fresh, path, past: [], source: 'startup' };
  const known = findTranscript(config, options.resume);
  if (known === null) return { ok: false, message: `No conversation found with session ID: ${options.resume}` };
  const past = readTranscript(known);
  // A file without a message is not a conversation, though its id is in use.
  if (!past.some(({ type }) => type === 'user' || type === 'assistant'))
    return { ok: false, message: `No conversation found with session ID: ${options.resume}` };
  if (!options.fork) return { ok: true, id: idOfTranscript(known), path: known, past, source: 'resume' };
  return { ok: true, id: fresh, path, past: copyTranscript(past, path, fresh), source: 'fork' };
}

async function promptOf({ prompt }: Options): Promise<string> {
  const parts: Buffer[] = [];
  if (!process.stdin.isTTY) for await (const part of process.stdin) parts.push(part);
  const input = Buffer.concat(parts).toString('utf8');
  if (prompt === null) return input;
  return input === '' ? prompt : `${prompt}\n${input}`;
}

function tell(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function refuse(message: string): number {
  process.stderr.write(`${message}\n`);
  return 1;
}

/** Exits after all output is written: a pipe may still hold some of it. */
function leave(status: number): void {
  process.stdout.write('', () => process.exit(status));
}
