import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { encode } from 'uqr';
import { GRANTS, type Grant } from '../../api/grants.ts';
import type { Link } from '../live/types.ts';
import { useApp } from '../model/app.ts';
import { Command } from '../ui/copy.tsx';
import { SETTINGS } from '../words/settings.ts';

const { pair: words } = SETTINGS;
const ALL = Object.keys(GRANTS) as Grant[];
/** What a phone usually gets. */
const USUAL: readonly Grant[] = ['read', 'prompt', 'approve'];
/** Long enough to find the phone, and no longer than the server allows. */
const LINK_MS = 5 * 60_000;

/** Makes a link for one more browser, to be read by its camera. */
export function Pair(): VNode {
  const app = useApp();
  const grants = useSignal<readonly Grant[]>(USUAL.filter((each) => app.may(each)));
  const link = useSignal<Link | null>(null);
  const used = useSignal<string | null>(null);
  useEffect(
    () =>
      app.live.newcomer.subscribe((device) => {
        if (device === null || link.peek() === null) return;
        link.value = null;
        used.value = device.name;
      }),
    [],
  );
  const make = (): Promise<boolean> => {
    used.value = null;
    return app.perform(words.make, async () => {
      link.value = await app.live.link(grants.value, LINK_MS);
    });
  };
  const leftMs = link.value === null ? 0 : link.value.expiresAtMs - app.nowMs.value;
  if (link.value !== null && leftMs > 0)
    return <Shown link={link.value} leftMs={leftMs} stop={() => (link.value = null)} />;
  return (
    <>
      <fieldset class="grant-list" aria-label={words.grants}>
        {ALL.filter((each) => app.may(each)).map((grant) => (
          <GrantBox grant={grant} chosen={grants} />
        ))}
      </fieldset>
      <button type="button" class="primary" disabled={grants.value.length === 0} onClick={make}>
        {words.make}
      </button>
      <p role="status" class="muted">
        {used.value !== null ? words.used(used.value) : link.value !== null ? words.expired : ''}
      </p>
    </>
  );
}

interface GrantProps {
  readonly grant: Grant;
  readonly chosen: { value: readonly Grant[] };
}

function GrantBox({ grant, chosen }: GrantProps): VNode {
  const isChosen = chosen.value.includes(grant);
  const turn = (): void => {
    const others = chosen.value.filter((each) => each !== grant);
    chosen.value = isChosen ? others : [...others, grant];
  };
  return (
    <label class="grant">
      <input type="checkbox" checked={isChosen} onChange={turn} />
      <span class="grant-name">{grant}</span>
      <span class="muted">{GRANTS[grant]}</span>
    </label>
  );
}

function Shown({
  link,
  leftMs,
  stop,
}: {
  readonly link: Link;
  readonly leftMs: number;
  readonly stop: () => void;
}): VNode {
  const isHere = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?:[:/]|$)/.test(link.url);
  return (
    <div class="pairing">
      <Qr text={link.url} />
      <div class="pairing-words">
        <p>{words.scan}</p>
        <p class="countdown" role="timer" aria-label={words.expires}>
          {words.left(Math.ceil(Math.min(leftMs, LINK_MS) / 1_000))}
        </p>
        <p class="grants">{link.grants.join(' · ')}</p>
        {isHere && <p class="need">{words.onlyHere}</p>}
        <Command text={link.url} />
        <button type="button" class="quiet" onClick={stop}>
          {words.hide}
        </button>
      </div>
    </div>
  );
}

/** A link as a picture. It is dark on white in every theme: not every camera reads the reverse. */
function Qr({ text }: { readonly text: string }): VNode {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={words.qr} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
