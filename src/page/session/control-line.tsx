import type { VNode } from 'preact';
import type { SessionRow } from '../../api/contract-list.ts';
import { useApp } from '../model/app.ts';
import { SafeLine } from '../ui/safe.tsx';
import { STRINGS } from '../words/strings.ts';

/** Says that a person has control, and lets another one give it back. */
export function ControlLine({ row }: { readonly row: SessionRow }): VNode | null {
  const app = useApp();
  const { control, prompts, id } = row;
  if (control === null) return null;
  const waiting = prompts.filter(({ state }) => state === 'queued').length;
  const { giveBack, controlled } = STRINGS.session;
  return (
    <div class="control" role="status">
      <span>
        <SafeLine text={controlled(control.by, waiting)} />
      </span>
      {control.how === 'handoff' && (
        <button
          type="button"
          class="quiet"
          onClick={() => app.perform(giveBack, () => app.outlast.handoff({ session: id, back: true }))}
        >
          {giveBack}
        </button>
      )}
    </div>
  );
}
