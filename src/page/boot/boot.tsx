import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { BootView } from '../../api/contract-boot.ts';
import { useApp } from '../model/app.ts';
import { shownBoot } from '../model/boots.ts';
import { useAsked } from '../places/asked.ts';
import { Answer, Empty, PlaceHead } from '../places/place.tsx';
import { At } from '../ui/age.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { PLACE_STRINGS } from '../words/place-strings.ts';
import { Conversations } from './conversations.tsx';
import { Happened } from './happened.tsx';
import { Interrupted } from './interrupted.tsx';
import { VerdictBar } from './verdict-bar.tsx';

const { boot: words } = PLACE_STRINGS;
/** How many looks are kept to be seen. */
const LOOKS = 20;

/** What a restart or a sleep of the machine interrupted, and what can be resumed. */
export function BootPage(): VNode {
  const app = useApp();
  const looked = useSignal<BootView | null>(null);
  const isLooking = useSignal(false);
  const { answer, again } = useAsked('boot', async (signal) => {
    const [status, { boots }] = await Promise.all([
      app.outlast.daemonStatus(signal),
      app.outlast.lastBoots({ limit: LOOKS }, signal),
    ]);
    return { status, boots };
  });
  /** Looks at everything as it is now, and changes nothing. */
  const look = async (): Promise<void> => {
    if (isLooking.value) return;
    isLooking.value = true;
    await app.perform(words.look, async () => {
      looked.value = await app.outlast.boot({ dryRun: true });
    });
    isLooking.value = false;
  };
  const renew = (): void => {
    looked.value = null;
    again();
  };
  const lookButton = app.may('prompt') && (
    <button type="button" class="plain small" aria-disabled={isLooking.value} onClick={look}>
      {isLooking.value ? words.looking : words.look}
    </button>
  );
  return (
    <section class="place-page boot-page" aria-label={words.title}>
      <PlaceHead title={words.title}>{lookButton}</PlaceHead>
      <div class="place-body" tabIndex={0}>
        <Answer
          answer={answer.value}
          again={again}
          draw={({ status, boots }) => (
            <>
              <Happened away={status.away} />
              <Look boot={looked.value ?? shownBoot(boots)} again={renew} />
              <Earlier boots={boots} />
            </>
          )}
        />
      </div>
    </section>
  );
}

function Look({ boot, again }: { readonly boot: BootView | null; readonly again: () => void }): VNode {
  if (boot === null) return <Empty title={words.never} told={words.neverHint} />;
  return (
    <>
      <p class="boot-looked">
        {words.looked[boot.why]} <At atMs={boot.atMs} />
        {boot.dryRun && <span class="tag">{words.dryRun}</span>}
      </p>
      <p class="boot-policy muted">{words.policy[boot.foreign]}</p>
      <VerdictBar boot={boot} />
      <Interrupted key={`${boot.atMs} ${boot.dryRun}`} boot={boot} again={again} />
      <Conversations boot={boot} />
    </>
  );
}

/** What was seen and done before. */
function Earlier({ boots }: { readonly boots: readonly BootView[] }): VNode | null {
  if (boots.length === 0) return null;
  return (
    <section class="place-section" aria-label={words.earlier}>
      <h2>{words.earlier}</h2>
      <ol class="boot-earlier">
        {boots.map((boot) => (
          <li key={boot.atMs}>
            <At atMs={boot.atMs} />
            <span class="boot-why">{words.whys[boot.why]}</span>
            <span>
              <SafeLine text={boot.summary} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
