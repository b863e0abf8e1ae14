import { assert } from '../../base/assert.ts';
import type { Launch } from '../../core/launch.ts';
import type { Spec } from '../../core/session.ts';
import type { CallerProcess, RunPlan } from '../seam/agent.ts';
import { environmentOf } from '../seam/environment.ts';
import { foldersOf } from '../seam/images.ts';
import { QWEN_ENVIRONMENT } from './environment.ts';
import { GATE_FILES, GATE_WORDS, gateVariables } from './gate-settings.ts';
import { modeWord } from './modes.ts';

/** The name of the program on the PATH. */
export const PROGRAM = 'qwen';

/**
 * Qwen Code would start itself again as its own child, which survives it. It would also begin turns by itself at times
 * that a model has set, and warn about the mode that was asked for.
 */
const FIXED = {
  QWEN_CODE_NO_RELAUNCH: 'true',
  QWEN_CODE_DISABLE_CRON: '1',
  QWEN_CODE_SUPPRESS_YOLO_WARNING: '1',
} as const;

/** Partial messages show progress before a long reply ends. */
const STREAM = ['--output-format', 'stream-json', '--include-partial-messages'] as const;

/** The launch plan of a run of a session. */
export function qwenLaunch(spec: Spec, { env: caller, umask }: CallerProcess, plan: RunPlan): Launch {
  const wanted = spec.conversation;
  assert(wanted !== undefined, 'a session of Qwen Code has a conversation');
  const env = { ...environmentOf(QWEN_ENVIRONMENT, caller, wanted.envNames), ...FIXED };
  const common = { env, cwd: spec.workspace, umask };
  const words = [...conversationWords(spec, plan), ...settingsWords(spec)];
  if (plan.how === 'visit') return { ...common, argv: [PROGRAM, ...words], stdin: 'open', split: false };
  if (spec.drive === 'server') {
    const server = { ...common, stdin: 'messages', split: true } as const;
    const messages = ['--input-format', 'stream-json', ...STREAM] as const;
    if (wanted.gate === undefined) return { ...server, argv: [PROGRAM, ...messages, ...words] };
    const gated = { ...server, files: GATE_FILES, env: { ...env, ...gateVariables(plan.files) } };
    return { ...gated, argv: [PROGRAM, ...messages, ...words, ...GATE_WORDS] };
  }
  const stdin = plan.promptPath === null ? 'empty' : { path: plan.promptPath };
  const images = foldersOf(plan.images).map((folder) => `--include-directories=${folder}`);
  return { ...common, argv: [PROGRAM, ...STREAM, ...words, ...images], stdin, split: true };
}

/** Which conversation: a new one under our id, a known one, or a copy, whose id Qwen Code chooses. */
function conversationWords(spec: Spec, plan: RunPlan): string[] {
  const id = plan.conversation ?? spec.conversation?.id ?? null;
  if (plan.how === 'resume' || (plan.how === 'visit' && plan.conversation !== null)) return ['--resume', idOf(id)];
  const from = plan.origin ?? spec.conversation?.forkOf ?? null;
  return from === null ? ['--session-id', idOf(id)] : ['--resume', idOf(from), '--fork-session'];
}

/** Anything else would be taken for a search. */
function idOf(id: string | null): string {
  assert(id !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id), `a conversation id is a UUID: ${id}`);
  return id;
}

function settingsWords({ conversation }: Spec): string[] {
  const { mode = 'none', model, gate, args = [] } = conversation ?? {};
  return [
    '--approval-mode',
    modeWord(gate === undefined ? mode : 'ask-all'),
    ...(model ? ['--model', model] : []),
    ...args,
  ];
}
