import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { SessionRow } from '../../api/contract-list.ts';
import { attentionOf } from '../../present/attention.ts';
import { oneLine } from '../../present/harmless.ts';
import { shortState, signMs } from '../../present/row.ts';
import { commandLine, nameOf } from '../../present/state.ts';
import { agentText, costOf, follow } from '../fleet/row.tsx';
import { useApp } from '../model/app.ts';
import { addressOf } from '../model/route.ts';
import { Age } from '../ui/age.tsx';
import { Glyph, lookOf } from '../ui/glyph.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { pathText } from '../words/format.ts';
import { STRINGS } from '../words/strings.ts';
import { visibleLine } from '../words/visible.ts';
import { StopDialog } from './stop-dialog.tsx';

const { session: words } = STRINGS;

interface Props {
  readonly row: SessionRow;
}

/** What a session is, how it is, and what can be done to it. */
export function SessionHead({ row }: Props): VNode {
  const app = useApp();
  const isStopping = useSignal(false);
  const look = lookOf(row, attentionOf(row));
  const why = row.held ?? row.outcome?.why ?? null;
  return (
    <header class="detail-head session-head">
      <button type="button" class="icon-button back" aria-label={words.back} onClick={() => app.go({ is: 'fleet' })}>
        <Icon name="back" />
      </button>
      <Glyph look={look} />
      <h1 tabIndex={-1} data-head>
        <SafeLine text={nameOf(row)} />
      </h1>
      <span class={`state ${look}`}>
        <SafeLine text={shortState(row, app.nowMs.value)} />
      </span>
      <span class="space" />
      <Acts row={row} stop={() => (isStopping.value = true)} />
      <p class="meta">
        <Meta row={row} />
      </p>
      {why !== null && (
        <p class={`why ${look}`}>
          <SafeLine text={oneLine(why)} />
        </p>
      )}
      {isStopping.value && <StopDialog row={row} close={() => (isStopping.value = false)} />}
    </header>
  );
}

function Meta({ row }: Props): VNode {
  const app = useApp();
  const agent = row.drive === 'command' ? commandLine(row.argv) : agentText(row);
  const cost = costOf(row);
  const owner = row.owner === null ? undefined : app.fleet.known.value.rows.get(row.owner.session);
  return (
    <>
      <span class="meta-agent">
        <SafeLine text={agent} />
      </span>
      <span class="meta-path" title={visibleLine(row.workspace)}>
        <SafeLine text={pathText(row.workspace)} />
      </span>
      {cost !== '' && <span>{cost}</span>}
      <span class="meta-age">
        {STRINGS.fleet.lastSign} <Age atMs={signMs(row)} />
      </span>
      {owner !== undefined && (
        <a
          href={addressOf({ is: 'session', session: owner.id, tab: 'conversation' })}
          onClick={(event) => follow(event, () => app.go({ is: 'session', session: owner.id, tab: 'conversation' }))}
        >
          {words.owner} <SafeLine text={nameOf(owner)} />
        </a>
      )}
    </>
  );
}

function Acts({ row, stop }: { readonly row: SessionRow; readonly stop: () => void }): VNode | null {
  const app = useApp();
  const session = row.id;
  if (!app.may(row.drive === 'command' ? 'exec' : 'prompt')) return null;
  const isWorking = row.phase === 'working' || row.phase === 'blocked';
  const canResume = row.drive !== 'command' && (row.phase === 'ended' || row.hold?.helps === 'resume');
  return (
    <span class="acts">
      {isWorking && (
        <Act
          icon="pause"
          word={words.interrupt}
          act={() => app.perform(words.interrupt, () => app.outlast.interrupt(session), words.interrupted)}
        />
      )}
      {canResume && (
        <Act
          icon="play"
          word={words.resume}
          act={() => app.perform(words.resume, () => app.outlast.resume({ session }), words.resumed)}
        />
      )}
      {row.phase !== 'ended' && <Act icon="stop" word={words.stop} act={stop} />}
    </span>
  );
}

function Act({ icon, word, act }: { readonly icon: IconName; readonly word: string; readonly act: () => void }): VNode {
  return (
    <button type="button" class="plain small" onClick={act}>
      <Icon name={icon} size={14} />
      <span class="act-word">{word}</span>
    </button>
  );
}
