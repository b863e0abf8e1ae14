import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { LogCall, LogLine } from '../../api/logs-shape.ts';
import type { Action } from '../../api/step.ts';
import { durationText } from '../../present/duration.ts';
import { titleOf } from '../../present/tool-title.ts';
import { actionDiffs } from '../model/diff.ts';
import { hasFailed, kindOf, summaryOf } from '../model/talk.ts';
import { Diff, DiffStat } from '../ui/diff.tsx';
import { Icon } from '../ui/icon.tsx';
import { Safe, SafeLine } from '../ui/safe.tsx';
import { STRINGS } from '../words/strings.ts';
import { withoutSequences } from '../words/visible.ts';
import { Long } from './long.tsx';

const { talk: words, calls: does } = STRINGS;
const TITLE_CHARS_MAX = 200;
const DIFF_LINES_MAX = 24;
const RESULT_LINES_MAX = 16;
/** What is faster needs no time beside it. */
const TOLD_MS = 100;

interface Props {
  readonly lines: readonly LogLine[];
  readonly workspace: string;
}

/** A run of tool calls: one line that sums it up, and below it each call if a person wants to see them. */
export function Calls({ lines, workspace }: Props): VNode {
  const [isOpen, setOpen] = useState(false);
  const { counts, failed, running, tookMs } = summaryOf(lines);
  const changed = lines.flatMap(({ call }) => (call === undefined ? [] : actionDiffs(actionsIn(call))));
  const added = changed.reduce((sum, file) => sum + file.added, 0);
  const removed = changed.reduce((sum, file) => sum + file.removed, 0);
  const told = counts.map(({ does: kind, count }) => does[kind](count)).join(', ');
  return (
    <div class={`entry calls ${failed > 0 ? 'has-failed' : ''}`}>
      <button type="button" class="calls-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="chevron" size={12} />
        <span class="calls-told">
          {told.charAt(0).toUpperCase() + told.slice(1)}
          {failed > 0 && <span class="failed">{does.failed(failed)}</span>}
          <DiffStat added={added} removed={removed} />
        </span>
        {running !== null && <Running line={running} workspace={workspace} />}
        {running === null && tookMs !== null && tookMs >= TOLD_MS && <span class="took">{durationText(tookMs)}</span>}
      </button>
      {isOpen && (
        <ol class="calls-list">
          {lines.map((line) =>
            line.call === undefined ? (
              <li class="call-thought">
                <SafeLine text={line.text.trim()} />
              </li>
            ) : (
              <Call call={line.call} workspace={workspace} cutChars={line.cutChars ?? 0} />
            ),
          )}
        </ol>
      )}
    </div>
  );
}

function Running({ line, workspace }: { readonly line: LogLine; readonly workspace: string }): VNode {
  return (
    <span class="running">
      <span class="spinner" aria-hidden="true" />
      <code>
        <SafeLine text={line.call === undefined ? words.running : titleIn(line.call, workspace)} />
      </code>
    </span>
  );
}

interface CallProps {
  readonly call: LogCall;
  readonly workspace: string;
  readonly cutChars: number;
}

function Call({ call, workspace, cutChars }: CallProps): VNode {
  const isBad = hasFailed(call);
  const diffs = actionDiffs(actionsIn(call));
  const result = withoutSequences(call.error ?? call.result?.text ?? '').trim();
  return (
    <li class={`call ${isBad ? 'went-wrong' : ''} ${call.subagent === null ? '' : 'sub'}`}>
      <details open={isBad || diffs.length > 0}>
        <summary>
          <Icon name={kindOf(call) === 'search' ? 'search' : (kindOf(call) as 'read')} size={14} />
          <code class="call-title">
            <SafeLine text={titleIn(call, workspace)} />
          </code>
          {isBad && <span class="failed">{words.failed}</span>}
          {!call.ended && <span class="spinner" />}
          {call.tookMs !== null && call.tookMs >= TOLD_MS && <span class="took">{durationText(call.tookMs)}</span>}
        </summary>
        {diffs.map((file) => (
          <Diff file={{ ...file, path: relative(file.path, workspace) }} linesMax={DIFF_LINES_MAX} />
        ))}
        {diffs.length === 0 && <Input input={call.input} title={titleIn(call, workspace)} />}
        {result !== '' && !(diffs.length > 0 && !isBad) && (
          <div class="result">
            <Long text={result} linesMax={RESULT_LINES_MAX} />
          </div>
        )}
        {call.result !== null && call.result.images > 0 && <p class="muted">{words.images(call.result.images)}</p>}
        {cutChars > 0 && <p class="muted">{words.cut(cutChars)}</p>}
      </details>
    </li>
  );
}

/** The input, unless the title says all of it. */
function Input({ input, title }: { readonly input: unknown; readonly title: string }): VNode | null {
  const fields = typeof input === 'object' && input !== null ? Object.entries(input) : [['', input] as const];
  const left = fields.filter(([, value]) => value !== '' && String(value) !== title && !title.endsWith(String(value)));
  if (left.length === 0) return null;
  return (
    <dl class="input">
      {left.map(([name, value]) => (
        <div>
          <dt>
            <Safe text={name} />
          </dt>
          <dd>
            <Safe text={typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'null')} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function titleIn(call: LogCall, workspace: string): string {
  return relative(titleOf(call.name, actionsIn(call), TITLE_CHARS_MAX), workspace);
}

function actionsIn({ actions }: LogCall): readonly Action[] {
  return actions as unknown as readonly Action[];
}

function relative(text: string, workspace: string): string {
  return workspace === '/' ? text : text.replaceAll(`${workspace}/`, '');
}
