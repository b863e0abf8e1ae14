import type { ComponentChildren, VNode } from 'preact';
import { useApp } from '../model/app.ts';
import type { Fault, NewFields } from '../model/new-session.ts';
import { SafeLine } from '../ui/safe.tsx';
import { PLACE_STRINGS } from '../words/place-strings.ts';

const { new: words } = PLACE_STRINGS;
/** How many folders and models are offered. */
const OFFERED_MAX = 20;

export interface FieldParts {
  readonly fields: NewFields;
  readonly fault: Fault | null;
  readonly change: (next: Partial<NewFields>) => void;
}

/** What an agent needs. */
export function AgentFields({ agents, ...parts }: FieldParts & { readonly agents: readonly string[] }): VNode {
  const { fields, change } = parts;
  return (
    <>
      <Field name="prompt" {...parts} hint={words.promptHint}>
        <textarea {...control('prompt', parts)} rows={5} autofocus />
      </Field>
      <Field name="agent" {...parts}>
        <select {...control('agent', parts)}>
          <option value="">{words.usual}</option>
          {agents.map((name) => (
            <option value={name}>{name}</option>
          ))}
        </select>
      </Field>
      <Field name="model" {...parts}>
        <input {...control('model', parts)} list="new-models" placeholder={words.usual} />
      </Field>
      <label class="new-check">
        <input
          type="checkbox"
          checked={fields.isLive}
          onChange={({ currentTarget: { checked } }) => change({ isLive: checked })}
        />
        {words.live}
      </label>
      <Field name="gate" {...parts} hint={words.gateHints[fields.gate]}>
        <select
          id="new-gate"
          value={fields.gate}
          onChange={({ currentTarget: { value } }) => change({ gate: value as NewFields['gate'] })}
        >
          {(['', 'gate', 'watch', 'off'] as const).map((mode) => (
            <option value={mode}>{words.gates[mode]}</option>
          ))}
        </select>
      </Field>
      <Offers id="new-models" of={(row) => row.model} />
    </>
  );
}

/** What a command needs. */
export function CommandFields(parts: FieldParts): VNode {
  const { fields, change } = parts;
  return (
    <>
      <Field name="shell" {...parts} hint={words.shellHint}>
        <textarea {...control('shell', parts)} class="is-code" rows={3} autofocus spellcheck={false} />
      </Field>
      <label class="new-check">
        <input
          type="checkbox"
          checked={fields.hasTerminal}
          onChange={({ currentTarget: { checked } }) => change({ hasTerminal: checked })}
        />
        {words.terminal}
      </label>
    </>
  );
}

/** What both need. */
export function CommonFields(parts: FieldParts): VNode {
  const { fields, change } = parts;
  return (
    <>
      <Field name="folder" {...parts}>
        <input {...control('folder', parts)} class="is-code" list="new-folders" spellcheck={false} />
      </Field>
      <Field name="name" {...parts} hint={words.nameHint}>
        <input {...control('name', parts)} spellcheck={false} autocapitalize="none" />
      </Field>
      <label class="new-check">
        <input
          type="checkbox"
          checked={fields.hasWorktree}
          onChange={({ currentTarget: { checked } }) => change({ hasWorktree: checked })}
        />
        {words.worktree}
      </label>
      {fields.hasWorktree && (
        <Field name="branch" {...parts} hint={words.branchHint}>
          <input {...control('branch', parts)} class="is-code" spellcheck={false} />
        </Field>
      )}
      <Offers id="new-folders" of={(row) => row.workspace} />
    </>
  );
}

type TextName = 'prompt' | 'agent' | 'model' | 'shell' | 'folder' | 'name' | 'branch';

/** What makes an element the control of a field. */
function control(name: TextName, { fields, fault, change }: FieldParts) {
  const isWrong = fault?.field === name;
  return {
    id: `new-${name}`,
    value: fields[name],
    'aria-invalid': isWrong,
    'aria-describedby': isWrong ? `new-${name}-fault` : undefined,
    onInput: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => change({ [name]: value }),
  };
}

interface FieldProps extends FieldParts {
  readonly name: TextName | 'gate';
  readonly hint?: string;
  readonly children: ComponentChildren;
}

function Field({ name, fault, hint, children }: FieldProps): VNode {
  return (
    <div class={`new-field new-${name}`}>
      <label for={`new-${name}`}>{words.fields[name]}</label>
      {children}
      {fault?.field === name ? (
        <p class="new-fault" id={`new-${name}-fault`} role="alert">
          <SafeLine text={fault.why} />
        </p>
      ) : (
        hint !== undefined && hint !== '' && <p class="new-hint">{hint}</p>
      )}
    </div>
  );
}

interface OffersProps {
  readonly id: string;
  readonly of: (row: { readonly workspace: string; readonly model: string | null }) => string | null;
}

/** What sessions have now, to choose from. */
function Offers({ id, of }: OffersProps): VNode {
  const rows = [...useApp().fleet.known.value.rows.values()];
  const values = [...new Set(rows.flatMap((row) => of(row) ?? []))].slice(0, OFFERED_MAX);
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option value={value} />
      ))}
    </datalist>
  );
}
