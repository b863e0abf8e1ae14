import type { ComponentChildren, VNode } from 'preact';
import type { SessionRow } from '../../api/contract-list.ts';
import type { EventLine } from '../../client/browser.ts';
import { durationText } from '../../present/duration.ts';
import { useApp } from '../model/app.ts';
import { evidenceOf } from '../model/evidence.ts';
import type { Placed } from '../model/groups.ts';
import { errorOf, type Happening, lineOf, troubleOf } from '../model/happening.ts';
import { Glyph } from '../ui/glyph.tsx';
import { Icon } from '../ui/icon.tsx';
import { Safe, SafeLine } from '../ui/safe.tsx';
import { numberText, secondsText, wholeTimeText } from '../words/format.ts';
import { RECORD_STRINGS } from '../words/record-strings.ts';

const { evidence: words, events } = RECORD_STRINGS;

interface Props {
  readonly happening: Happening;
  readonly placed: readonly Placed[];
  readonly row: SessionRow;
  readonly close: () => void;
  readonly show: (happening: Happening) => void;
}

/** Everything about one event: what it means, what was seen, what came of it, and the event itself. */
export function EvidencePanel({ happening, placed, row, close, show }: Props): VNode {
  const { event, end, atMs, endMs } = happening;
  const trouble = troubleOf(happening);
  return (
    <aside class="evidence" aria-label={events.evidence}>
      <header>
        {trouble !== null && <Glyph look={trouble} />}
        <h2 class={trouble ?? ''}>
          <SafeLine text={lineOf(happening, row.workspace)} />
        </h2>
        <button type="button" class="icon-button" aria-label={events.close} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <div class="evidence-body" tabIndex={0} role="group" aria-label={events.evidence}>
        <Found happening={happening} placed={placed} row={row} show={show} />
        <Where event={event} row={row} tookMs={endMs === null ? null : endMs - atMs} atMs={atMs} />
        {[event, ...(end === null ? [] : [end])].map((each) => (
          <Body event={each} />
        ))}
      </div>
    </aside>
  );
}

/** What was seen, and what came of it. */
function Found({ happening, placed, row, show }: Omit<Props, 'close'>): VNode {
  const { signs, atWork, remedy } = evidenceOf(happening, placed);
  const error = errorOf(happening);
  return (
    <>
      {error !== null && (
        <Part title={words.error}>
          <pre class="evidence-text bad-text">
            <Safe text={error} />
          </pre>
        </Part>
      )}
      {signs.length > 0 && (
        <Part title={words.signs} name="signs">
          <ul class="evidence-signs">
            {signs.map((sign) => (
              <li>
                <Safe text={sign} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      {atWork.length > 0 && (
        <Part title={words.atWork} name="at-work">
          <Others happenings={atWork} row={row} show={show} />
        </Part>
      )}
      {remedy !== null && (
        <Part title={words.remedy} name="remedy">
          {remedy.length === 0 && <p class="muted">{words.remedyNone}</p>}
          {remedy.length > 0 && <Others happenings={remedy} row={row} show={show} />}
        </Part>
      )}
    </>
  );
}

function Part(props: { readonly title: string; readonly name?: string; readonly children: ComponentChildren }): VNode {
  return (
    <section data-part={props.name}>
      <h3>{props.title}</h3>
      {props.children}
    </section>
  );
}

type OthersProps = Pick<Props, 'row' | 'show'> & { readonly happenings: readonly Happening[] };

/** Other events that belong to it; each leads to its own evidence. */
function Others({ happenings, row, show }: OthersProps): VNode {
  return (
    <ol class="evidence-events">
      {happenings.map((each) => (
        <li>
          <button type="button" onClick={() => show(each)}>
            <time>{secondsText(each.atMs)}</time>
            <span>
              <SafeLine text={lineOf(each, row.workspace)} />
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

interface WhereProps {
  readonly event: EventLine;
  readonly row: SessionRow;
  readonly tookMs: number | null;
  readonly atMs: number;
}

/** When it was, its place in the journal, and the command that reads on from there. */
function Where({ event, row, tookMs, atMs }: WhereProps): VNode {
  const app = useApp();
  const line = `outlast events ${row.id} --after ${event.after}`;
  const copy = (): Promise<boolean> =>
    app.perform(words.copyAfter, () => navigator.clipboard.writeText(line), words.copiedAfter);
  return (
    <section>
      <dl class="evidence-facts">
        <dt>{words.type}</dt>
        <dd>
          <code>{event.event}</code>
        </dd>
        <dt>{words.time}</dt>
        <dd>{wholeTimeText(atMs)}</dd>
        {tookMs !== null && (
          <>
            <dt>{words.result}</dt>
            <dd>{durationText(tookMs)}</dd>
          </>
        )}
        <dt>{words.position}</dt>
        <dd>
          <code class="position">{event.position}</code>
          <button type="button" class="quiet" onClick={copy}>
            <Icon name="copy" size={12} /> {words.copyAfter}
          </button>
        </dd>
        <dt>{words.number}</dt>
        <dd>{numberText(event.seq)}</dd>
      </dl>
    </section>
  );
}

function Body({ event }: { readonly event: EventLine }): VNode {
  const app = useApp();
  const text = JSON.stringify(event.body, null, 2);
  const copy = (): Promise<boolean> =>
    app.perform(words.copyBody, () => navigator.clipboard.writeText(text), words.copied);
  return (
    <section class="evidence-json">
      <h3>
        {words.bodies(event.event)}
        <button type="button" class="icon-button small" aria-label={words.copyBody} onClick={copy}>
          <Icon name="copy" size={12} />
        </button>
      </h3>
      <pre>
        <Safe text={text} />
      </pre>
    </section>
  );
}
