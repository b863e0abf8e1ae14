import type { VNode } from 'preact';
import type { FoundText } from '../../api/contract-search.ts';
import { commandFor, conversationName } from '../../present/found.ts';
import { follow } from '../fleet/row.tsx';
import { useApp } from '../model/app.ts';
import { type FoundGroup, partsOf } from '../model/found.ts';
import { addressOf, type Route } from '../model/route.ts';
import { At } from '../ui/age.tsx';
import { Command } from '../ui/copy.tsx';
import { Icon } from '../ui/icon.tsx';
import { Safe, SafeLine } from '../ui/safe.tsx';
import { pathText } from '../words/format.ts';
import { PLACE_STRINGS } from '../words/place-strings.ts';

const { search: words } = PLACE_STRINGS;
const ICONS = { prompt: 'talk', reply: 'agent', tool: 'shell' } as const;

/** What was found, by conversation. `at`: the one that the keyboard is at. */
export function Groups({ groups, at }: { readonly groups: readonly FoundGroup[]; readonly at: number }): VNode {
  return (
    <ol class="found-groups">
      {groups.map((group) => (
        <li key={group.key} class="found-group">
          <GroupHead found={group.first} />
          <ul>
            {group.texts.map(({ text, index }) => (
              <li key={text.id}>
                <Found found={text} index={index} isAt={index === at} />
              </li>
            ))}
          </ul>
          {group.first.session === null && (
            <p class="found-command">
              {words.takeOver} <Command text={commandFor(group.first)} />
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

function GroupHead({ found }: { readonly found: FoundText }): VNode {
  const { session, workspace } = found;
  return (
    <h2 class="found-head">
      <span class="found-name">
        <SafeLine text={conversationName(found)} />
      </span>
      {session === null && <span class="tag">{words.outside}</span>}
      {workspace !== null && (
        <span class="found-path" title={workspace}>
          <SafeLine text={pathText(workspace)} />
        </span>
      )}
    </h2>
  );
}

interface FoundProps {
  readonly found: FoundText;
  readonly index: number;
  readonly isAt: boolean;
}

/** One text. That of a session leads to its turn; another has nowhere to lead to. */
function Found({ found, index, isAt }: FoundProps): VNode {
  const app = useApp();
  const { session, turn } = found;
  const inside = <Inside found={found} />;
  const kind = `found ${isAt ? 'at' : ''}`;
  const anchor = { id: `found-${index}`, 'data-found': index };
  if (session === null)
    return (
      <div class={kind} {...anchor}>
        {inside}
      </div>
    );
  const place: Route = { is: 'session', session: session.id, tab: 'conversation' };
  const route: Route = turn === null ? place : { ...place, turn };
  return (
    <a class={kind} {...anchor} href={addressOf(route)} onClick={(event) => follow(event, () => app.go(route))}>
      {inside}
    </a>
  );
}

function Inside({ found }: { readonly found: FoundText }): VNode {
  const { kind, turn, atMs, cut } = found;
  return (
    <>
      <span class="found-meta">
        <Icon name={ICONS[kind]} size={14} />
        <span class="found-kind">{words.kinds[kind]}</span>
        <span>{turn === null ? words.unknownTurn : words.turn(turn)}</span>
        <At atMs={atMs} />
      </span>
      <span class={`found-text ${kind === 'tool' ? 'is-code' : ''}`}>
        {cut.before && '… '}
        {partsOf(found).map(({ text, isMark }) =>
          isMark ? (
            <mark>
              <Safe text={text} />
            </mark>
          ) : (
            <Safe text={text} />
          ),
        )}
        {cut.after && ' …'}
      </span>
    </>
  );
}
