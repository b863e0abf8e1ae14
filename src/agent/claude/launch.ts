import { assert } from '../../base/assert.ts';
import type { PermissionMode } from '../../core/session.ts';
import { environmentOf } from '../seam/environment.ts';
import { CLAUDE_ENVIRONMENT } from './environment.ts';
import { type Refusal, refusals } from './launch-args.ts';
import { modeWord } from './modes.ts';
import { thinkingPlan } from './thinking.ts';

/** The inputs for the command line of a run of Claude Code. */
export interface ClaudePlan {
  /** The program: a path or a name. */
  readonly program: string;
  /** `turns`: one prompt on stdin, one stream of JSON out. `live`: the full screen, with pasted prompts. */
  readonly drive: 'turns' | 'live';
  readonly conversation: ConversationPlan;
  readonly mode: PermissionMode;
  /** The word that its conversation had for the mode, passed on as it is; missing or null: the usual one for `mode`. */
  readonly modeWord?: string | null;
  /** The JSON text with our hooks. */
  readonly settings: string;
  /** Behind a gate only our settings are read: a folder's own hooks could allow what ours deny. */
  readonly isGated: boolean;
  /** The command of the permission server; null: hooks ask. */
  readonly permissionServer: readonly [string, ...string[]] | null;
  /** A full model id, or null for Claude Code's default. */
  readonly model: string | null;
  /** A thinking level, or null for Claude Code's default. */
  readonly thinking: string | null;
  /** The caller's extra arguments for Claude Code. */
  readonly extra: readonly string[];
  /** The caller's whole environment, and the names in it that are passed on in addition to the usual ones. */
  readonly env: Readonly<Record<string, string>>;
  readonly envNames: readonly string[];
}

/** The conversation of the run: a new one under our id, a known one, or a fork of a known one under our id. */
export type ConversationPlan =
  | { readonly is: 'new'; readonly id: string }
  | { readonly is: 'resume'; readonly id: string }
  | { readonly is: 'fork'; readonly from: string; readonly id: string };

/** The command line and environment of a run, or the arguments that are refused. */
export type ClaudeLaunch =
  | {
      readonly ok: true;
      readonly argv: readonly [string, ...string[]];
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly ok: false; readonly refused: readonly [Refusal, ...Refusal[]] };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Claude Code refuses stream-json without --verbose. Partial messages show progress before a long reply ends.
 */
const TURNS = ['--print', '--output-format', 'stream-json', '--verbose', '--include-partial-messages'];

/** Builds the command line. A prompt is never part of it: in `turns` it comes on stdin, in `live` it is pasted. */
export function claudeLaunch(plan: ClaudePlan): ClaudeLaunch {
  const [first, ...others] = refusals(plan.extra);
  if (first !== undefined) return { ok: false, refused: [first, ...others] };
  const thinking = thinkingPlan(plan.thinking);
  const argv: readonly [string, ...string[]] = [
    plan.program,
    ...(plan.drive === 'turns' ? TURNS : []),
    ...conversationArgs(plan.conversation),
    '--permission-mode',
    modeWord(plan.mode, plan.modeWord ?? null),
    '--settings',
    plan.settings,
    ...(plan.isGated ? ['--setting-sources', ''] : []),
    ...(plan.permissionServer === null ? [] : permissionServerArgs(plan.permissionServer, plan.conversation.id)),
    ...(plan.model === null ? [] : ['--model', plan.model]),
    ...thinking.args,
    ...plan.extra,
  ];
  return { ok: true, argv, env: { ...environmentOf(CLAUDE_ENVIRONMENT, plan.env, plan.envNames), ...thinking.env } };
}

/**
 * The name of the server contains a fresh id, so no other server can have it. The flag for servers consumes all the
 * words after it, so another flag follows.
 */
function permissionServerArgs([command, ...args]: readonly [string, ...string[]], id: string): string[] {
  const name = `outlast_${id.slice(0, 8)}`;
  const servers = JSON.stringify({ mcpServers: { [name]: { type: 'stdio', command, args } } });
  return ['--mcp-config', servers, '--permission-prompt-tool', `mcp__${name}__ask`];
}

function conversationArgs(conversation: ConversationPlan): string[] {
  assert(UUID.test(conversation.id), `a conversation id is a UUID: ${conversation.id}`);
  switch (conversation.is) {
    case 'new':
      return ['--session-id', conversation.id];
    case 'resume':
      return ['--resume', conversation.id];
    case 'fork':
      assert(UUID.test(conversation.from), `a conversation id is a UUID: ${conversation.from}`);
      // The only case in which Claude Code accepts both ids: without --fork-session it exits at once.
      return ['--resume', conversation.from, '--fork-session', '--session-id', conversation.id];
  }
}
