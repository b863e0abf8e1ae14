import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { ApprovalView } from '../../api/contract-approvals.ts';
import { pathText } from '../words/format.ts';
import { STRINGS } from '../words/strings.ts';
import { AllowButton } from './hold-button.tsx';

const { inbox } = STRINGS;

interface Props {
  readonly asked: ApprovalView;
  readonly keep: 'session' | 'always';
  readonly isOff: boolean;
  /** Its yes has to be held, as Allow has. */
  readonly isHeld: boolean;
  readonly allow: (rule: string) => void;
  readonly close: () => void;
}

/** The exact rule that would be kept, before it is: a person may make it narrower or wider. */
export function KeepRule({ asked, keep, isOff, isHeld, allow, close }: Props): VNode {
  const rule = useSignal(asked.rule ?? '');
  const submit = (): void => {
    if (rule.value.trim() !== '') allow(rule.value.trim());
  };
  return (
    <form
      class="keep-rule"
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
        // A yes is never an Enter by default.
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
      }}
    >
      <label for="kept-rule">
        {keep === 'always' ? inbox.keptAlways(pathText(asked.workspace)) : inbox.keptSession}
      </label>
      <input
        id="kept-rule"
        type="text"
        value={rule.value}
        spellcheck={false}
        autofocus
        onInput={(event) => {
          rule.value = event.currentTarget.value;
        }}
      />
      <div class="edit-acts">
        <button type="button" class="plain" onClick={close}>
          {STRINGS.cancel}
        </button>
        <AllowButton word={inbox.keepRule} isOff={isOff} isHeld={isHeld} allow={submit} />
      </div>
    </form>
  );
}
