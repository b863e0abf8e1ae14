import type { CallOutput, HandlerInput } from '../api/contract.ts';
import { OutlastError } from '../base/errors.ts';
import { type OutputFiles, outputSize } from '../terminal/output.ts';
import { news } from './news.ts';
import { filesOf } from './outputs.ts';
import type { Parts } from './parts.ts';
import { textSearch } from './text-search.ts';
import { viewOf } from './view.ts';

type Wanted =
  | { readonly kind: 'exit' }
  | { readonly kind: 'idle-output'; readonly ms: number }
  | { readonly kind: 'text'; readonly source: string };

type Met = { readonly met: CallOutput<'session.wait'>['met']; readonly match?: string; readonly cursor: number };

/** Waits for an exit, a silence or a text. The end of the session ends every wait. */
export async function wait(
  parts: Parts,
  input: HandlerInput<'session.wait'>,
  signal: AbortSignal,
): Promise<CallOutput<'session.wait'>> {
  const { sessions, config, clock } = parts;
  const { session } = sessions.find(input.session);
  const wanted = wantedOf(input.for);
  const files = filesOf(config.state, session);
  const since = input.since ?? (await outputSize(files));
  const deadlineMs = input.timeoutMs === undefined ? Number.POSITIVE_INFINITY : clock.steadyMs() + input.timeoutMs;
  const isUp = (): boolean => !['queued', 'opening'].includes(sessions.find(session.id).session.phase.at);
  const look = lookFor(parts, wanted, { files, since, isUp });
  for (;;) {
    // Before looking: what was printed before the end is looked at once more after it.
    const { live } = sessions.find(session.id);
    const { met, againMs, seenBytes } = await look(live);
    const isOver = met === null && (!live || clock.steadyMs() >= deadlineMs || signal.aborted);
    if (met !== null || isOver) {
      const row = sessions.find(session.id);
      return { session: viewOf(config.state, row), ...(met ?? { met: 'nothing', cursor: seenBytes }) };
    }
    const isNews = async (): Promise<boolean> =>
      (await outputSize(files)) > seenBytes || !sessions.find(session.id).live;
    const watched = wanted.kind === 'exit' ? [] : [files.output];
    await news(
      parts,
      watched,
      wanted.kind === 'exit' ? () => !sessions.find(session.id).live : isNews,
      signal,
      Math.min(againMs, deadlineMs - clock.steadyMs()),
    );
  }
}

interface Look {
  readonly met: Met | null;
  readonly againMs: number;
  readonly seenBytes: number;
}

type Looking = (live: boolean) => Promise<Look>;

interface Place {
  readonly files: OutputFiles;
  readonly since: number;
  readonly isUp: () => boolean;
}

function lookFor(parts: Parts, wanted: Wanted, { files, since, isUp }: Place): Looking {
  switch (wanted.kind) {
    case 'exit':
      return async (live) => {
        const cursor = await outputSize(files);
        return { met: live ? null : { met: 'exit', cursor }, againMs: Number.POSITIVE_INFINITY, seenBytes: cursor };
      };
    case 'idle-output':
      return lookForSilence(parts, wanted.ms, files, isUp);
    case 'text':
      return lookForText(wanted.source, { files, since, isUp });
  }
}

function lookForSilence({ clock }: Parts, ms: number, files: OutputFiles, isUp: () => boolean): Looking {
  let bytes = -1;
  let sinceMs = clock.steadyMs();
  return async (live) => {
    const size = await outputSize(files);
    // What has not started is not silent yet.
    if (size !== bytes || !isUp()) sinceMs = clock.steadyMs();
    bytes = size;
    const silentMs = clock.steadyMs() - sinceMs;
    const met: Met | null = live && silentMs >= ms ? { met: 'idle-output', cursor: size } : null;
    return { met, againMs: ms - silentMs, seenBytes: size };
  };
}

function lookForText(source: string, { files, since }: Place): Looking {
  const search = textSearch(source, files, since);
  return async (live) => {
    const { found, seenBytes } = await search(!live);
    return { met: found && { met: 'text', ...found }, againMs: Number.POSITIVE_INFINITY, seenBytes };
  };
}

function wantedOf(words: string): Wanted {
  if (words === 'exit' || words === 'ended') return { kind: 'exit' };
  const [kind, rest] = splitOnce(words);
  if (kind === 'idle-output') return { kind, ms: durationMs(rest) };
  if (kind === 'text' && rest !== '') return { kind, source: rest };
  throw new OutlastError('input_invalid', `for: "${words}" is none of exit, ended, idle-output:2s, text:REGEX`);
}

function splitOnce(words: string): [string, string] {
  const at = words.indexOf(':');
  return at < 0 ? [words, ''] : [words.slice(0, at), words.slice(at + 1)];
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

function durationMs(words: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(words);
  if (match === null) throw new OutlastError('input_invalid', `for: "${words}" is no duration; write 500ms, 2s or 1m`);
  return Number(match[1]) * (UNIT_MS[match[2] ?? 's'] ?? 1_000);
}
