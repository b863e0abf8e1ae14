import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { type App, useApp } from '../model/app.ts';
import { EMPTY, type Fault, faultOf, type NewFields, problemsOf, startOf } from '../model/new-session.ts';
import { useAsked } from '../places/asked.ts';
import { Segments } from '../places/place.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { PLACE_STRINGS } from '../words/place-strings.ts';
import { STRINGS } from '../words/strings.ts';
import { AgentFields, CommandFields, CommonFields } from './fields.tsx';

const { new: words } = PLACE_STRINGS;

/** Starts an agent or a command. What is wrong is told at its field. */
export function NewDialog(): VNode {
  const app = useApp();
  const kinds = (['agent', 'command'] as const).filter((kind) => app.may(kind === 'agent' ? 'prompt' : 'exec'));
  const { fields, fault, isStarting, change, start } = useNew(kinds[0] ?? 'agent');
  const { answer } = useAsked('agents', (signal) => app.outlast.agents({}, signal));
  const agents = (answer.value.value?.agents ?? []).filter(({ started }) => started).map(({ name }) => name);
  const close = (): void => app.go({ is: 'fleet' });
  const parts = { fields: fields.value, fault: fault.value, change };
  return (
    <Dialog label={words.title} kind="new-dialog" close={close}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void start();
        }}
      >
        <Head kinds={kinds} chosen={fields.value.kind} choose={(kind) => change({ kind })} close={close} />
        {kinds.length === 0 ? (
          <p class="none">{words.mayNot}</p>
        ) : (
          <>
            <div class="new-fields">
              {fields.value.kind === 'agent' ? (
                <AgentFields {...parts} agents={agents} />
              ) : (
                <CommandFields {...parts} />
              )}
              <CommonFields {...parts} />
            </div>
            {fault.value !== null && fault.value.field === null && (
              <p class="new-fault" role="alert">
                <SafeLine text={fault.value.why} />
              </p>
            )}
            <Foot isStarting={isStarting.value} close={close} />
          </>
        )}
      </form>
    </Dialog>
  );
}

type Kind = NewFields['kind'];

/** What is filled in, what is wrong with it, and the start. */
function useNew(kind: Kind) {
  const app = useApp();
  const fields = useSignal<NewFields>({ ...EMPTY, kind, folder: lastFolder(app) });
  const fault = useSignal<Fault | null>(null);
  const isStarting = useSignal(false);
  const change = (next: Partial<NewFields>): void => {
    fields.value = { ...fields.value, ...next };
    if (fault.value?.field != null && fault.value.field in next) fault.value = null;
  };
  const refuse = (problem: Fault): void => {
    fault.value = problem;
    focusField(problem);
  };
  const start = async (): Promise<void> => {
    if (isStarting.value) return;
    const problem = problemsOf(fields.value);
    if (problem !== null) return refuse(problem);
    isStarting.value = true;
    await startIt(app, fields.value).catch((error) => refuse(faultOf(messageOf(error), fields.value)));
    isStarting.value = false;
  };
  return { fields, fault, isStarting, change, start };
}

interface HeadProps {
  readonly kinds: readonly Kind[];
  readonly chosen: Kind;
  readonly choose: (kind: Kind) => void;
  readonly close: () => void;
}

function Head({ kinds, chosen, choose, close }: HeadProps): VNode {
  return (
    <header>
      <h2>{words.title}</h2>
      {kinds.length > 1 && (
        <Segments
          label={words.kind}
          choices={kinds.map((kind) => [kind, words.kinds[kind]] as const)}
          chosen={chosen}
          choose={choose}
        />
      )}
      <button type="button" class="icon-button" aria-label={STRINGS.cancel} onClick={close}>
        <Icon name="close" />
      </button>
    </header>
  );
}

function Foot({ isStarting, close }: { readonly isStarting: boolean; readonly close: () => void }): VNode {
  return (
    <footer>
      <span class="muted only-wide">
        <kbd>Ctrl</kbd> <kbd>Enter</kbd>
      </span>
      <button type="button" class="plain" onClick={close}>
        {STRINGS.cancel}
      </button>
      <button type="submit" class="primary" aria-disabled={isStarting}>
        {isStarting ? words.starting : words.start}
      </button>
    </footer>
  );
}

/** Starts it, and goes to it. */
async function startIt(app: App, fields: NewFields): Promise<void> {
  const { id } = await app.outlast.start(startOf(fields));
  app.go({ is: 'session', session: id, tab: fields.kind === 'command' ? 'screen' : 'conversation' });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The folder of the session that was started last: the next one is often for the same. */
function lastFolder({ fleet }: App): string {
  const rows = [...fleet.known.peek().rows.values()];
  return rows.sort((a, b) => b.createdAtMs - a.createdAtMs)[0]?.workspace ?? '';
}

function focusField({ field }: Fault): void {
  // The field says what is wrong first.
  requestAnimationFrame(() => document.getElementById(`new-${field}`)?.focus());
}
