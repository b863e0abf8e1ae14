import type { VNode } from 'preact';
import { attentionOf } from '../../present/attention.ts';
import { nameOf } from '../../present/state.ts';
import { FleetRow, follow } from '../fleet/row.tsx';
import { FleetUnknown } from '../fleet/states.tsx';
import { useApp } from '../model/app.ts';
import type { Question } from '../model/inbox.ts';
import { addressOf } from '../model/route.ts';
import { SafeLine } from '../ui/safe.tsx';
import { numberText } from '../words/format.ts';
import { STRINGS } from '../words/strings.ts';
import { TimeLeft } from './time-left.tsx';

const { inbox } = STRINGS;

/** All questions, oldest first, and below them what else needs a person. */
export function InboxList(): VNode {
  const app = useApp();
  const questions = app.inbox.questions.value;
  const route = app.route.value;
  const open = route.is === 'inbox' ? route.question : null;
  const others = app.needs.value.filter(({ approvals }) => approvals === 0);
  return (
    <section class="inbox-list" aria-label={inbox.title}>
      <header class="fleet-head">
        <h1>
          {inbox.title} <span class="count">{numberText(questions.length)}</span>
        </h1>
      </header>
      <div class="inbox-items">
        {questions.length === 0 && <InboxEmpty />}
        {questions.length > 0 && (
          <ul aria-label={inbox.questions}>
            {questions.map((question) => (
              <li key={question.asked.id}>
                <QuestionRow question={question} isOpen={question.asked.id === (open ?? questions[0]?.asked.id)} />
              </li>
            ))}
          </ul>
        )}
        {others.length > 0 && (
          <>
            <h2 class="group need">
              <span class="group-name">{inbox.also}</span>
            </h2>
            <ul>
              {others.map((row) => (
                <li key={row.id} class="virtual-row">
                  <FleetRow
                    item={{ is: 'session', key: row.id, row, attention: attentionOf(row), under: 0 }}
                    isOpen={false}
                    isAt={false}
                  />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </section>
  );
}

function InboxEmpty(): VNode {
  const app = useApp();
  const decided = app.inbox.decided.value;
  if (!app.fleet.known.value.isComplete && 'sinceMs' in app.state.value) return <FleetUnknown />;
  return (
    <div class="empty">
      <h2>{inbox.none}</h2>
      <p>{decided === 0 ? inbox.noneHint : inbox.decided(decided)}</p>
    </div>
  );
}

function QuestionRow({ question, isOpen }: { readonly question: Question; readonly isOpen: boolean }): VNode {
  const app = useApp();
  const { asked, decided } = question;
  const route = { is: 'inbox', question: asked.id } as const;
  const [action] = asked.actions ?? [];
  return (
    <a
      class={`row question-row ${decided === undefined ? '' : 'over'}`}
      href={addressOf(route)}
      aria-current={isOpen ? 'page' : undefined}
      onClick={(event) => follow(event, () => app.go(route))}
    >
      <span class="row-title">
        <span class="row-name">
          <SafeLine text={asked.tool} />
        </span>
        <span class="row-agent">
          <SafeLine text={nameOf({ name: asked.name, id: asked.session })} />
        </span>
      </span>
      {decided === undefined ? <TimeLeft question={question} /> : <span class="age">{decidedWord(decided)}</span>}
      <span class="row-words">
        <code>
          <SafeLine text={action?.text ?? asked.why} />
        </code>
      </span>
    </a>
  );
}

function decidedWord(decided: Question['decided']): string {
  if (decided == null) return '';
  return decided.allow ? inbox.allow : inbox.deny;
}
