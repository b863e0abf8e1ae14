import type { VNode } from 'preact';
import { follow } from '../fleet/row.tsx';
import { Answers } from '../inbox/answer.tsx';
import { Facts } from '../inbox/facts.tsx';
import { TimeLeft } from '../inbox/time-left.tsx';
import { useApp } from '../model/app.ts';
import { addressOf } from '../model/route.ts';
import type { Entry, PlainEntry } from '../model/talk.ts';
import { At } from '../ui/age.tsx';
import { Glyph } from '../ui/glyph.tsx';
import { Icon } from '../ui/icon.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { Safe, SafeLine } from '../ui/safe.tsx';
import { STRINGS } from '../words/strings.ts';
import { Calls } from './calls.tsx';
import { Long } from './long.tsx';

const { talk: words } = STRINGS;

/** One part of a conversation. */
export function EntryView({ entry, workspace }: { readonly entry: Entry; readonly workspace: string }): VNode | null {
  switch (entry.is) {
    case 'calls':
      return <Calls lines={entry.lines} workspace={workspace} />;
    case 'question':
      return <Asked entry={entry} />;
    case 'text':
      return (
        <div class={`entry reply ${entry.isLive ? 'live' : ''}`}>
          <Markdown text={entry.line.text} />
        </div>
      );
    case 'prompt':
    case 'steering':
      return <Prompt entry={entry} />;
    case 'thinking':
      return <Thought text={entry.line.text} />;
    case 'fault':
      return <Mishap entry={entry} />;
    case 'end':
      return (
        <p class="entry end">
          <SafeLine text={entry.line.text} />
        </p>
      );
    default:
      return <Aside entry={entry} />;
  }
}

type Question = Extract<Entry, { is: 'question' }>;

function Prompt({ entry: { is, line } }: { readonly entry: PlainEntry }): VNode {
  return (
    <div class="entry prompt" data-turn={is === 'prompt' ? line.turn : undefined}>
      <p class="who">
        <span>{is === 'steering' ? words.steering : words.you}</span>
        {line.atMs !== null && <At atMs={line.atMs} />}
      </p>
      <Long text={line.text} linesMax={12} />
    </div>
  );
}

function Thought({ text }: { readonly text: string }): VNode {
  const [first = ''] = text.trim().split('\n');
  return (
    <details class="entry thought">
      <summary>
        <Icon name="chevron" size={12} />
        <span class="thought-word">{words.thinking}</span>
        <span class="thought-first">
          <SafeLine text={first} />
        </span>
      </summary>
      <p>
        <Safe text={text.trim()} />
      </p>
    </details>
  );
}

/** What went wrong. A limit is no fault: the session goes on when it resets. */
function Mishap({ entry: { line } }: { readonly entry: PlainEntry }): VNode {
  const look = line.event === 'session.limited' ? 'park' : 'bad';
  return (
    <div class={`entry fault ${look}`}>
      <Glyph look={look} />
      <Long text={line.text} linesMax={8} />
      {line.atMs !== null && <At atMs={line.atMs} />}
    </div>
  );
}

function Aside({ entry: { line } }: { readonly entry: PlainEntry }): VNode | null {
  if (line.text.trim() === '') return null;
  return (
    <p class="entry aside">
      <span>
        <Safe text={line.text.trim()} />
      </span>
      {line.atMs !== null && <At atMs={line.atMs} />}
    </p>
  );
}

/** A question of the agent that waits for an answer. */
function Asked({ entry: { approval } }: { readonly entry: Question }): VNode | null {
  const app = useApp();
  const question = app.inbox.find(approval);
  if (question === undefined) return null;
  const route = { is: 'inbox', question: question.asked.id } as const;
  return (
    <section class="entry asking" aria-label={STRINGS.inbox.questions}>
      <header>
        <Glyph look="need" />
        <h2>
          <SafeLine text={question.asked.tool} />
        </h2>
        <TimeLeft question={question} isLong />
        <a
          class="quiet"
          href={addressOf(route)}
          aria-label={words.open}
          onClick={(event) => follow(event, () => app.go(route))}
        >
          <Icon name="inbox" size={14} />
        </a>
      </header>
      <Facts asked={question.asked} />
      <Answers question={question} hasKeys={false} />
    </section>
  );
}
