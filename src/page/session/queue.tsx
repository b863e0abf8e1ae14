import type { VNode } from 'preact';
import type { SessionRow } from '../../api/contract-list.ts';
import type { PromptView } from '../../client/browser.ts';
import { type App, useApp } from '../model/app.ts';
import { SafeLine } from '../ui/safe.tsx';
import { STRINGS } from '../words/strings.ts';

const { composer: words } = STRINGS;

interface Props {
  readonly row: SessionRow;
  /** Puts a text back into the box. */
  readonly refill: (text: string) => void;
}

/** The prompts that the agent has not answered, each with its state and the reason. */
export function Queue({ row, refill }: Props): VNode | null {
  // What the agent works on is in the conversation.
  const waiting = row.prompts.filter(({ state }) => state !== 'accepted');
  if (waiting.length === 0) return null;
  return (
    <ul class="queue" aria-label={words.queued}>
      {waiting.map((prompt) => (
        <QueuedPrompt key={prompt.id} session={row.id} prompt={prompt} refill={refill} />
      ))}
    </ul>
  );
}

interface QueuedProps {
  readonly session: string;
  readonly prompt: PromptView;
  readonly refill: (text: string) => void;
}

function QueuedPrompt({ session, prompt, refill }: QueuedProps): VNode {
  const app = useApp();
  const { state, waiting, text } = prompt;
  const isUnsure = state === 'unsure';
  const drop = (): Promise<boolean> => app.perform(words.drop, () => app.outlast.drop(session, prompt.id));
  /** It is dropped first: a prompt that is sent in this moment stays, and nothing is sent twice. */
  const edit = async (): Promise<void> => {
    const whole = await wholeText(app, session, prompt);
    if (await drop()) refill(whole);
  };
  const canChange = state === 'queued' || isUnsure;
  return (
    <li class={`queued ${isUnsure ? 'need' : ''}`}>
      <span class="queued-text">
        <SafeLine text={text} />
      </span>
      <span class="queued-state">
        {words[state]}
        {waiting !== null && (
          <>
            {': '}
            <SafeLine text={waiting} />
          </>
        )}
      </span>
      {canChange && (
        <span class="queued-acts">
          <button type="button" class="quiet" onClick={() => void edit()}>
            {isUnsure ? words.back : words.takeBack}
          </button>
          <button type="button" class="quiet" onClick={() => void drop()}>
            {words.drop}
          </button>
        </span>
      )}
      {isUnsure && <p class="queued-hint">{words.unsureHint}</p>}
    </li>
  );
}

/** Lists cut a long prompt; the journal has all of it. */
async function wholeText({ outlast }: App, session: string, { id, text }: PromptView): Promise<string> {
  for await (const { body } of outlast.events({ session, types: ['prompt.queued'] }))
    if (body.prompt === id && typeof body.text === 'string') return body.text;
  return text;
}
