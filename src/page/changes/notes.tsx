import type { VNode } from 'preact';
import type { Changes } from '../../api/changes-shape.ts';
import type { SessionView } from '../../client/browser.ts';
import { Icon } from '../ui/icon.tsx';
import { Safe, SafeLine } from '../ui/safe.tsx';
import { RECORD_STRINGS } from '../words/record-strings.ts';

const { changes: words } = RECORD_STRINGS;

/** The git worktree of a session, if it has its own. */
export type Worktree = NonNullable<SessionView['worktree']>;

interface Props {
  readonly compared: Changes;
  readonly worktree: Worktree | null;
  /** The session did something since. */
  readonly wentOn: boolean;
  readonly again: () => void;
}

/** What a person should know before reading the changes. */
export function Notes({ compared: { cut, notCovered, moreFiles }, worktree, wentOn, again }: Props): VNode {
  return (
    <>
      {wentOn && (
        <p class="change-note went-on" role="status">
          {words.wentOn}
          <button type="button" class="quiet" onClick={again}>
            <Icon name="again" size={12} /> {RECORD_STRINGS.again}
          </button>
        </p>
      )}
      {worktree !== null && <WorktreeNote worktree={worktree} />}
      {moreFiles > 0 && <p class="change-note">{words.more(moreFiles)}</p>}
      {cut !== null && (
        <p class="change-note">
          <SafeLine text={cut} />
        </p>
      )}
      {notCovered.length > 0 && (
        <details class="change-note">
          <summary>{words.notCovered(notCovered.length)}</summary>
          <ul>
            {notCovered.map((each) => (
              <li>
                <Safe text={each} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** What would be lost with the worktree. */
function WorktreeNote({ worktree: { branch, dirty, ahead } }: { readonly worktree: Worktree }): VNode {
  const parts = [...(dirty > 0 ? [words.dirty(dirty)] : []), ...(ahead > 0 ? [words.ahead(ahead)] : [])];
  const isAtRisk = parts.length > 0;
  return (
    <p class={`change-note worktree ${isAtRisk ? 'at-risk' : ''}`}>
      <Icon name="changes" size={14} />
      <span>
        <strong>
          <SafeLine text={branch === null ? words.detached : words.worktree(branch)} />
        </strong>
        {': '}
        {isAtRisk ? `${parts.join(', ')}. ` : `${words.clean}.`}
        {isAtRisk && words.rescue}
      </span>
    </p>
  );
}
