import type { VNode } from 'preact';
import type { ApprovalView } from '../../api/contract-approvals.ts';
import { parseDiff } from '../model/diff.ts';
import { Diff } from '../ui/diff.tsx';
import { Safe } from '../ui/safe.tsx';
import { pathText } from '../words/format.ts';
import { STRINGS } from '../words/strings.ts';

/** Everything about a question: nothing of the input is cut. */
export function Facts({ asked }: { readonly asked: ApprovalView }): VNode {
  const hasDiff = asked.diff !== null && asked.diff !== '';
  const fields = inputFields(asked.input).filter(([name]) => !hasDiff || asked.diffFields?.includes(name) !== true);
  return (
    <>
      <dl class="facts">
        {fields.map(([name, text], i) => (
          <div class={i === 0 && !hasDiff ? 'main' : undefined}>
            <dt>
              <Safe text={name} />
            </dt>
            <dd>
              <pre>
                <Safe text={text} />
              </pre>
            </dd>
          </div>
        ))}
      </dl>
      {hasDiff && parseDiff(asked.diff ?? '').map((file) => <Diff file={file} />)}
      <dl class="facts quiet">
        <Fact name={STRINGS.inbox.folder} text={pathText(asked.workspace)} />
        <Fact name={STRINGS.inbox.asked} text={asked.why} />
        {asked.subagent !== null && <Fact name={STRINGS.inbox.subagent} text={asked.subagent} />}
        {asked.rule !== null && <Fact name={STRINGS.inbox.rule} text={asked.rule} />}
      </dl>
    </>
  );
}

function Fact({ name, text }: { readonly name: string; readonly text: string }): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Safe text={text} />
      </dd>
    </div>
  );
}

function inputFields(input: unknown): (readonly [string, string])[] {
  if (typeof input !== 'object' || input === null) return [[STRINGS.talk.input, textOf(input)]];
  return Object.entries(input).map(([name, value]) => [name, textOf(value)] as const);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'null');
}
