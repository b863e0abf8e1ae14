import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { nameOf } from '../../present/state.ts';
import { follow } from '../fleet/row.tsx';
import { useApp } from '../model/app.ts';
import type { Question } from '../model/inbox.ts';
import { useKeys } from '../model/keys.ts';
import { addressOf } from '../model/route.ts';
import { Age } from '../ui/age.tsx';
import { Glyph } from '../ui/glyph.tsx';
import { Icon } from '../ui/icon.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { STRINGS } from '../words/strings.ts';
import { Answers } from './answer.tsx';
import { Facts } from './facts.tsx';
import { TimeLeft } from './time-left.tsx';

const { inbox } = STRINGS;
/** A swipe that is shorter is a tap. */
const SWIPE_PX = 70;

/** One question; without an id, the oldest. */
export function QuestionPage({ id }: { readonly id: string | null }): VNode {
  const app = useApp();
  const questions = app.inbox.questions.value;
  const at = id === null ? 0 : questions.findIndex(({ asked }) => asked.id === id);
  const question = questions[at];
  const next = questions[(at + 1) % Math.max(questions.length, 1)];
  const goNext = (): void => {
    if (next !== undefined && next !== question) app.go({ is: 'inbox', question: next.asked.id });
  };
  useKeys({ k: goNext });
  const swipe = useSwipe(goNext);
  if (question === undefined) return <NoQuestion wasThere={id !== null} />;
  return (
    <article class="question" {...swipe}>
      <header class="detail-head">
        <button
          type="button"
          class="icon-button back"
          aria-label={STRINGS.session.back}
          onClick={() => app.go({ is: 'inbox', question: null })}
        >
          <Icon name="back" />
        </button>
        <Glyph look="need" />
        <h1 tabIndex={-1} data-head>
          <SafeLine text={question.asked.tool} />
        </h1>
        <SessionLink question={question} />
        <span class="space" />
        {questions.length > 1 && (
          <button type="button" class="quiet" onClick={goNext}>
            {inbox.of(at + 1, questions.length)} <Icon name="chevron" size={12} />
            <span class="out-of-sight">{inbox.next}</span>
          </button>
        )}
      </header>
      <div class="question-body">
        <p class="asked-at">
          <span class="age">
            {inbox.askedBefore} <Age atMs={question.asked.askedAtMs} />
          </span>
          <TimeLeft question={question} isLong />
        </p>
        <Facts asked={question.asked} />
      </div>
      <Answers key={question.asked.id} question={question} hasKeys />
    </article>
  );
}

function SessionLink({ question: { asked } }: { readonly question: Question }): VNode {
  const app = useApp();
  const route = { is: 'session', session: asked.session, tab: 'conversation' } as const;
  return (
    <a class="of-session" href={addressOf(route)} onClick={(event) => follow(event, () => app.go(route))}>
      <SafeLine text={nameOf({ name: asked.name, id: asked.session })} />
    </a>
  );
}

function NoQuestion({ wasThere }: { readonly wasThere: boolean }): VNode {
  return (
    <div class="overview">
      <h2 tabIndex={-1} data-head>
        {inbox.none}
      </h2>
      <p>{wasThere ? inbox.gone : inbox.noneHint}</p>
    </div>
  );
}

/** A swipe to the side goes to the next question; it never answers one. */
function useSwipe(next: () => void) {
  const from = useRef<{ x: number; y: number } | null>(null);
  return {
    onTouchStart: ({ touches: [touch] }: TouchEvent) => {
      from.current = touch === undefined ? null : { x: touch.clientX, y: touch.clientY };
    },
    onTouchEnd: ({ changedTouches: [touch] }: TouchEvent) => {
      if (from.current === null || touch === undefined) return;
      const [x, y] = [touch.clientX - from.current.x, touch.clientY - from.current.y];
      if (Math.abs(x) > SWIPE_PX && Math.abs(x) > 2 * Math.abs(y)) next();
    },
  };
}
