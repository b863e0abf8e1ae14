import type { VNode } from 'preact';
import type { ChangedFile } from '../model/changes.ts';
import type { Review } from '../model/review.ts';
import { DiffStat } from '../ui/diff.tsx';
import { Icon } from '../ui/icon.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { RECORD_STRINGS } from '../words/record-strings.ts';

const { changes: words } = RECORD_STRINGS;

interface Props {
  readonly files: readonly ChangedFile[];
  readonly review: Review;
  readonly part: { readonly current: HTMLElement | null };
}

/** All files in one look; each leads to its lines. */
export function FileList({ files, review, part }: Props): VNode {
  const viewed = files.filter(({ file, digest }) => review.viewed.value[file.path] === digest).length;
  const go = (at: number): void => {
    const head = part.current?.querySelectorAll<HTMLElement>('.file-toggle')[at];
    head?.focus({ preventScroll: true });
    head?.closest('.file')?.scrollIntoView({ block: 'start' });
  };
  return (
    <nav class="file-list" aria-label={words.list}>
      <p class="view-note">{words.viewedOf(viewed, files.length)}</p>
      <ol>
        {files.map(({ file, digest }, i) => (
          <li>
            <button
              type="button"
              class={`file-link ${review.viewed.value[file.path] === digest ? 'is-viewed' : ''}`}
              onClick={() => go(i)}
            >
              <StatusSign status={file.status} />
              <span class="file-name">
                <SafeLine text={file.path.replace(/^.*\//, '')} />
                <span class="file-folder">
                  <SafeLine text={file.path.replace(/\/?[^/]*$/, '')} />
                </span>
              </span>
              {review.viewed.value[file.path] === digest ? (
                <Icon name="check" size={12} />
              ) : (
                <DiffStat added={file.additions ?? 0} removed={file.deletions ?? 0} />
              )}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

const SIGNS = { added: 'A', modified: 'M', deleted: 'D', renamed: 'R' } as const;

/** What happened to a file, as git marks it. */
export function StatusSign({ status }: { readonly status: ChangedFile['file']['status'] }): VNode {
  return (
    <abbr class={`file-status ${status}`} title={words.status[status]}>
      {SIGNS[status]}
    </abbr>
  );
}
