import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { ApprovalView } from '../../api/contract-approvals.ts';
import { fieldsOf, inputOf, NotJson } from '../model/edited-input.ts';
import { Safe } from '../ui/safe.tsx';
import { STRINGS } from '../words/strings.ts';

const { inbox } = STRINGS;

interface Props {
  readonly asked: ApprovalView;
  readonly allow: (edit: Record<string, unknown>) => void;
  readonly close: () => void;
}

/** Changes the input of a call before it is allowed: texts as they are, everything else as JSON. */
export function EditInput({ asked, allow, close }: Props): VNode {
  const fields = useSignal(fieldsOf(asked.input));
  const wrong = useSignal<string | null>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
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
    <form class="edit-input" onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && close()}>
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
        <button type="submit" class="primary">
          {inbox.allowEdited}
        </button>
      </div>
    </form>
  );
}
