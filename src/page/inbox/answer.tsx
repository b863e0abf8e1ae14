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

const { inbox } = STRINGS;

/** How a question is answered, besides yes and no. */
interface Answer {
  readonly allow: boolean;
  readonly why?: string;
  readonly keep?: 'session' | 'always';
}

/** The answers to a question. `hasKeys`: y and n answer it. */
export function Answers({ question, hasKeys }: { readonly question: Question; readonly hasKeys: boolean }): VNode {
  const app = useApp();
  const { asked, decided } = question;
  const box = useRef<HTMLDivElement>(null);
  const { isArmed, isOff, answer } = useAnswer(question, box);
  const isReasoning = useSignal(false);
  const caution = cautionOf(asked);
  const allow = (): void => void answer({ allow: true });
  const deny = (): void => void answer({ allow: false });
  const hold = useHold(allow);
  const reason = (): void => {
    isReasoning.value = !isReasoning.value;
  };
  useKeys(hasKeys ? { y: caution === null ? allow : hold.press, n: deny, e: reason } : {});
  if (decided !== undefined) return <Decision decided={decided} />;
  if (!app.may('approve')) return <p class="decision muted">{inbox.notHere}</p>;
  return (
    <div class={`answers ${isArmed ? 'armed' : ''}`} ref={box}>
      <div class="arming" aria-hidden="true" />
      {isReasoning.value && <Reason deny={(why) => answer({ allow: false, why })} close={reason} />}
      {caution !== null && <p class="caution">{inbox.cautions[caution]}</p>}
      <div class="buttons">
        <button type="button" class="plain" aria-disabled={isOff} onClick={deny}>
          {inbox.deny}
          {hasKeys && <kbd>n</kbd>}
        </button>
        {caution === null ? (
          <button type="button" class="primary" aria-disabled={isOff} onClick={allow}>
            {inbox.allow}
            {hasKeys && <kbd>y</kbd>}
          </button>
        ) : (
          <HoldButton word={inbox.hold} kind="primary" hold={hold} isOff={isOff} />
        )}
      </div>
      <div class="more-answers">
        <button type="button" class="quiet" onClick={reason}>
          {inbox.withReason}
        </button>
        {asked.rule !== null && <Kept isOff={isOff} isHeld={caution !== null} answer={answer} />}
      </div>
    </div>
  );
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

interface KeptProps {
  readonly isOff: boolean;
  /** They have to be held, as Allow has. */
  readonly isHeld: boolean;
  readonly answer: (answer: Answer) => void;
}

/** Answers that are kept as a rule. */
function Kept(props: KeptProps): VNode {
  return (
    <>
      <Keep word={inbox.forSession} keep="session" {...props} />
      <Keep word={inbox.always} keep="always" {...props} />
    </>
  );
}

function Keep(props: KeptProps & { readonly word: string; readonly keep: 'session' | 'always' }): VNode {
  const { word, keep, isOff, isHeld, answer } = props;
  const allow = (): void => answer({ allow: true, keep });
  const hold = useHold(allow);
  if (isHeld) return <HoldButton word={word} kind="quiet" hold={hold} isOff={isOff} />;
  return (
    <button type="button" class="quiet" aria-disabled={isOff} onClick={allow}>
      {word}
    </button>
  );
}

interface HoldProps {
  readonly word: string;
  readonly kind: 'primary' | 'quiet';
  readonly hold: Hold;
  readonly isOff: boolean;
}

function HoldButton({ word, kind, hold, isOff }: HoldProps): VNode {
  const isPress = (key: string): boolean => key === 'Enter' || key === ' ';
  return (
    <button
      type="button"
      class={`${kind} hold ${hold.isHeld ? 'held' : ''}`}
      aria-disabled={isOff}
      onPointerDown={() => !isOff && hold.begin()}
      onPointerUp={hold.end}
      onPointerLeave={hold.end}
      onPointerCancel={hold.end}
      onKeyDown={(event) => isPress(event.key) && !event.repeat && !isOff && hold.begin()}
      onKeyUp={(event) => isPress(event.key) && hold.end()}
      // A pointer has held it; what has none presses it twice.
      onClick={(event) => event.detail === 0 && event.clientX === 0 && !isOff && hold.press()}
    >
      {word}
    </button>
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
