import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { BootView, ConversationView } from '../../api/contract-boot.ts';
import { oneLine } from '../../present/harmless.ts';
import { type App, useApp } from '../model/app.ts';
import { resumable, withDone } from '../model/boots.ts';
import { Age } from '../ui/age.tsx';
import { Glyph } from '../ui/glyph.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { PLACE_STRINGS } from '../words/place-strings.ts';
import { Progress } from './progress.tsx';

const { boot: words } = PLACE_STRINGS;

interface Props {
  readonly boot: BootView;
  /** Reads again what was looked at. */
  readonly again: () => void;
}

/** The interrupted conversations: those that are ticked are resumed, each with a line that says how that goes. */
export function Interrupted({ boot, again }: Props): VNode | null {
  const app = useApp();
  const shown = useSignal(boot);
  const open = resumable(shown.value);
  const off = useSignal<ReadonlySet<string>>(new Set());
  const running = useSignal<ReadonlySet<string>>(new Set());
  const chosen = open.filter(({ id }) => !off.value.has(id));
  const all = shown.value.conversations.filter(({ verdict }) => verdict === 'interrupted');
  if (all.length === 0) return null;
  const tick = (id: string): void => {
    const next = new Set(off.value);
    if (!next.delete(id)) next.add(id);
    off.value = next;
  };
  const resume = async (): Promise<void> => {
    if (running.value.size > 0 || chosen.length === 0) return;
    const ids = chosen.map(({ id }) => id);
    running.value = new Set(ids);
    const done = await resumed(app, ids);
    running.value = new Set();
    if (done !== null) shown.value = withDone(shown.value, done);
    again();
  };
  const isOff = running.value.size > 0 || chosen.length === 0;
  return (
    <section class="place-section interrupted" aria-label={words.verdicts.interrupted}>
      <h2>{words.toResume}</h2>
      <ul class="to-resume">
        {all.map((one) => (
          <li key={one.id}>
            <One
              one={one}
              isTicked={chosen.includes(one)}
              isRunning={running.value.has(one.id)}
              {...(one.did === 'nothing' && running.value.size === 0 && { tick: () => tick(one.id) })}
            />
          </li>
        ))}
      </ul>
      {open.length > 0 && app.may('prompt') && (
        <div class="resume-act">
          <button type="button" class="primary" aria-disabled={isOff} onClick={resume}>
            {running.value.size > 0 ? words.resuming : words.resume(chosen.length)}
          </button>
          <p class="muted">{words.resumeTold(chosen.length)}</p>
        </div>
      )}
    </section>
  );
}

async function resumed(app: App, ids: readonly string[]): Promise<BootView | null> {
  let done: BootView | null = null;
  await app.perform(words.resume(ids.length), async () => {
    done = await app.outlast.boot({ resume: [...ids] });
  });
  return done;
}

interface OneProps {
  readonly one: ConversationView;
  readonly isTicked: boolean;
  readonly isRunning: boolean;
  readonly tick?: () => void;
}

function One({ one, isTicked, isRunning, tick }: OneProps): VNode {
  const isOpen = one.did === 'nothing';
  const id = `resume-${one.id}`;
  return (
    <div class={`to-resume-one ${isOpen ? '' : 'over'}`}>
      {isOpen ? (
        <input id={id} type="checkbox" checked={isTicked} disabled={tick === undefined} onChange={tick} />
      ) : (
        <Glyph look={one.did === 'failed' ? 'bad' : one.did === 'held' ? 'need' : 'ok'} />
      )}
      <label class="to-resume-name" for={id}>
        <strong>
          <SafeLine text={one.agent} />
        </strong>{' '}
        <code>
          <SafeLine text={one.id} />
        </code>
      </label>
      <Age atMs={one.atMs} />
      <span class="to-resume-why">
        {isRunning || !isOpen ? <Progress one={one} /> : <SafeLine text={oneLine(one.detail ?? one.why)} />}
      </span>
    </div>
  );
}
