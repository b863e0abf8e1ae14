import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { ApprovalView } from '../../api/contract-approvals.ts';
import { fieldsOf, inputOf, NotJson } from '../model/edited-input.ts';
import { Safe } from '../ui/safe.tsx';
import { STRINGS } from '../words/strings.ts';
import { AllowButton } from './hold-button.tsx';

const { inbox } = STRINGS;

interface Props {
  readonly asked: ApprovalView;
  readonly isOff: boolean;
  /** Its yes has to be held, as Allow has. */
  readonly isHeld: boolean;
  readonly allow: (edit: Record<string, unknown>) => void;
  readonly close: () => void;
}

/** Changes the input of a call before it is allowed: texts as they are, everything else as JSON. */
export function EditInput({ asked, isOff, isHeld, allow, close }: Props): VNode {
  const fields = useSignal(fieldsOf(asked.input));
  const wrong = useSignal<string | null>(null);
  const submit = (): void => {
    try {
      allow(inputOf(fields.value));
    } catch (error) {
      if (!(error instanceof NotJson)) throw error;
      wrong.value = error.field;
    }
  };
  const change = (name: string, text: string): void => {
    wrong.value = null;
    fields.value = fields.value.map((field) => (field.name === name ? { ...field, text } : field));
  };
  return (
    <form
      class="edit-input"
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      {fields.value.map(({ name, text }, i) => (
        <label key={name}>
          <span>
            <Safe text={name} />
          </span>
          <textarea
            value={text}
            rows={Math.min(text.split('\n').length, 8)}
            spellcheck={false}
            autofocus={i === 0}
            aria-invalid={wrong.value === name}
            onInput={(event) => change(name, event.currentTarget.value)}
          />
          {wrong.value === name && <span class="bad">{inbox.notJson}</span>}
        </label>
      ))}
      <div class="edit-acts">
        <button type="button" class="plain" onClick={close}>
          {STRINGS.cancel}
        </button>
        <AllowButton word={inbox.allowEdited} isOff={isOff} isHeld={isHeld} allow={submit} />
      </div>
    </form>
  );
}
