import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { useApp } from '../model/app.ts';
import { cautionOf } from '../model/caution.ts';
import type { Question } from '../model/inbox.ts';
import { useKeys } from '../model/keys.ts';
import { Icon } from '../ui/icon.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { STRINGS } from '../words/strings.ts';
import { type Box, type Hold, useArmed, useHold } from './armed.ts';
import { EditInput } from './edit.tsx';
import { HoldButton } from './hold-button.tsx';
import { KeepRule } from './keep.tsx';

const { inbox } = STRINGS;

/** How a question is answered, besides yes and no. */
interface Answer {
  readonly allow: boolean;
  readonly why?: string;
  readonly keep?: 'session' | 'always';
  readonly rule?: string;
  readonly edit?: Record<string, unknown>;
}

/** What is open above the answers. */
type Opened = 'reason' | 'edit' | 'session' | 'always' | null;

/** The answers to a question. `hasKeys`: y and n answer it. */
export function Answers({ question, hasKeys }: { readonly question: Question; readonly hasKeys: boolean }): VNode {
  const app = useApp();
  const { asked, decided } = question;
  const box = useRef<HTMLDivElement>(null);
  const { isArmed, isOff, answer } = useAnswer(question, box);
  const opened = useSignal<Opened>(null);
  const caution = cautionOf(asked);
  const allow = (): void => void answer({ allow: true });
  const deny = (): void => void answer({ allow: false });
  const hold = useHold(allow);
  const open = (what: Opened): void => {
    opened.value = opened.value === what ? null : what;
  };
  const reason = (): void => open('reason');
  const close = (): void => open(null);
  useKeys(hasKeys ? { y: caution === null ? allow : hold.press, n: deny, e: reason } : {});
  if (decided !== undefined) return <Decision decided={decided} />;
  if (!app.may('approve')) return <p class="decision muted">{inbox.notHere}</p>;
  return (
    <div class={`answers ${isArmed ? 'armed' : ''}`} ref={box}>
      <div class="arming" aria-hidden="true" />
      <OpenedPart opened={opened.value} asked={asked} isOff={isOff} answer={answer} close={close} />
      {caution !== null && <p class="caution">{inbox.cautions[caution]}</p>}
      <div class="buttons">
        <button type="button" class="plain" aria-disabled={isOff} onClick={deny}>
          {inbox.deny}
          {hasKeys && <kbd>n</kbd>}
        </button>
        <Yes isHeld={caution !== null} isOff={isOff} hold={hold} allow={allow} hasKeys={hasKeys} />
      </div>
      <div class="more-answers">
        <button type="button" class="quiet" onClick={reason}>
          {inbox.withReason}
        </button>
        {canEdit(asked) && (
          <button type="button" class="quiet" onClick={() => open('edit')}>
            {inbox.edit}
          </button>
        )}
        {asked.rule !== null && <Kept open={open} />}
      </div>
    </div>
  );
}

interface YesProps {
  readonly isHeld: boolean;
  readonly isOff: boolean;
  readonly hold: Hold;
  readonly allow: () => void;
  readonly hasKeys: boolean;
}

function Yes({ isHeld, isOff, hold, allow, hasKeys }: YesProps): VNode {
  if (isHeld) return <HoldButton word={inbox.hold} hold={hold} isOff={isOff} />;
  return (
    <button type="button" class="primary" aria-disabled={isOff} onClick={allow}>
      {inbox.allow}
      {hasKeys && <kbd>y</kbd>}
    </button>
  );
}

interface OpenedProps {
  readonly opened: Opened;
  readonly asked: Question['asked'];
  readonly isOff: boolean;
  readonly answer: (answer: Answer) => Promise<void>;
  readonly close: () => void;
}

/** What has to be written before the answer: a reason, another input, or the rule that is kept. */
function OpenedPart({ opened, asked, isOff, answer, close }: OpenedProps): VNode | null {
  const common = { asked, isOff, isHeld: cautionOf(asked) !== null, close };
  switch (opened) {
    case null:
      return null;
    case 'reason':
      return <Reason deny={(why) => answer({ allow: false, why })} close={close} />;
    case 'edit':
      return <EditInput {...common} allow={(edit) => void answer({ allow: true, edit })} />;
    case 'session':
    case 'always': {
      const allow = (rule: string): void => void answer({ allow: true, keep: opened, rule });
      return <KeepRule key={opened} {...common} keep={opened} allow={allow} />;
    }
  }
}

/** Answers a question once, and only after it was seen. */
function useAnswer({ asked, decided }: Question, box: Box) {
  const app = useApp();
  const { isArmed, isArmedNow } = useArmed(asked.id, box);
  const isSending = useSignal(false);
  const answer = async ({ allow, ...options }: Answer): Promise<void> => {
    if (!isArmedNow() || isSending.value || decided !== undefined || !app.may('approve')) return;
    isSending.value = true;
    const word = allow ? inbox.allow : inbox.deny;
    await app.perform(word, () => app.outlast.approvals.decide(asked.id, allow, options));
    isSending.value = false;
  };
  return { isArmed, isOff: !isArmed || isSending.value, answer };
}

/** Is there an input with fields? */
function canEdit({ input }: Question['asked']): boolean {
  return typeof input === 'object' && input !== null && Object.keys(input).length > 0;
}

/** Answers that are kept as a rule, which is shown first. */
function Kept({ open }: { readonly open: (what: Opened) => void }): VNode {
  return (
    <>
      <button type="button" class="quiet" onClick={() => open('session')}>
        {inbox.forSession}
      </button>
      <button type="button" class="quiet" onClick={() => open('always')}>
        {inbox.always}
      </button>
    </>
  );
}

interface ReasonProps {
  readonly deny: (why: string) => Promise<void>;
  readonly close: () => void;
}

function Reason({ deny, close }: ReasonProps): VNode {
  const why = useSignal('');
  return (
    <form
      class="reason"
      onSubmit={(event) => {
        event.preventDefault();
        if (why.value.trim() !== '') void deny(why.value.trim());
      }}
    >
      <input
        type="text"
        value={why.value}
        placeholder={inbox.reasonHint}
        aria-label={inbox.reason}
        autofocus
        onInput={(event) => {
          why.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => event.key === 'Escape' && close()}
      />
      <button type="submit" class="plain">
        {inbox.deny}
      </button>
    </form>
  );
}

function Decision({ decided }: { readonly decided: NonNullable<Question['decided']> | null }): VNode {
  if (decided === null) return <p class="decision">{inbox.gone}</p>;
  const { allow, by, why } = decided;
  return (
    <p class={`decision ${allow ? 'ok' : 'bad'}`} role="status">
      <Icon name={allow ? 'check' : 'close'} />
      <span>
        <SafeLine text={allow ? inbox.allowedBy(by) : inbox.deniedBy(by)} />
        {why !== '' && (
          <span class="muted">
            {' '}
            <SafeLine text={why} />
          </span>
        )}
      </span>
    </p>
  );
}
