import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';
import type { Changes } from '../../api/changes-shape.ts';
import type { SessionRow } from '../../api/contract-list.ts';
import { DiffStat } from '../ui/diff.tsx';
import { Icon } from '../ui/icon.tsx';
import { RECORD_STRINGS } from '../words/record-strings.ts';
import type { Split } from './use-split.ts';

const { changes: words } = RECORD_STRINGS;
/** So many turns can be chosen; the command line knows all. */
const TURNS_MAX = 30;

/** What is compared: all since the start, all since a turn, or one turn. */
export interface Since {
  readonly turn?: number;
  readonly sinceTurn?: number;
}

interface Props {
  readonly row: SessionRow;
  readonly read: Changes | null;
  readonly since: Signal<Since>;
  readonly split: Split;
  readonly isBusy: boolean;
  readonly again: () => void;
}

/** What is compared, how much has changed, and how it is shown. */
export function ChangesBar({ row, read, since, split, isBusy, again }: Props): VNode {
  const turns = row.usage.turns + (row.phase === 'working' || row.phase === 'blocked' ? 1 : 0);
  const numbers = Array.from({ length: Math.min(turns, TURNS_MAX) }, (_, i) => turns - i);
  const choose = (value: string): void => {
    const [how, number] = value.split(' ');
    since.value = how === 'since' ? { sinceTurn: Number(number) } : how === 'turn' ? { turn: Number(number) } : {};
  };
  const { turn, sinceTurn } = since.value;
  const chosen = turn !== undefined ? `turn ${turn}` : sinceTurn !== undefined ? `since ${sinceTurn}` : '';
  return (
    <div class="view-bar">
      <select
        class="since"
        aria-label={words.since}
        value={chosen}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="">{words.sinceStart}</option>
        {numbers.slice(0, -1).map((number) => (
          <option value={`since ${number}`}>{words.sinceTurn(number)}</option>
        ))}
        {numbers.length > 1 &&
          numbers.map((number) => <option value={`turn ${number}`}>{words.onlyTurn(number)}</option>)}
      </select>
      {read !== null && read.files.length > 0 && (
        <span class="view-note">
          {words.files(read.files.length + read.moreFiles)} <DiffStat added={read.additions} removed={read.deletions} />
        </span>
      )}
      <span class="space" />
      <fieldset class="segments only-wide" aria-label={words.look}>
        {([false, true] as const).map((isSplit) => (
          <button type="button" aria-pressed={split.isSplit.value === isSplit} onClick={() => split.choose(isSplit)}>
            {isSplit ? words.split : words.unified}
          </button>
        ))}
      </fieldset>
      <button
        type="button"
        class="icon-button"
        aria-label={RECORD_STRINGS.again}
        title={RECORD_STRINGS.again}
        aria-disabled={isBusy}
        onClick={() => !isBusy && again()}
      >
        <Icon name="again" size={14} />
      </button>
    </div>
  );
}
