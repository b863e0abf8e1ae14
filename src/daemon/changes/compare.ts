import type { CallOutput } from '../../api/contract.ts';
import type { Clock } from '../../base/clock.ts';
import { toText } from '../../terminal/text.ts';
import { type Place, shadowGit } from './shadow.ts';

type Changes = CallOutput<'session.changes'>;
type File = Changes['files'][number];

/** The files that differ, and the text of the differences. */
export type Compared = Pick<Changes, 'files' | 'moreFiles' | 'additions' | 'deletions' | 'diff' | 'cut'>;

const FILES_MAX = 1_000;
const DIFF_FILES_MAX = 300;
/** How many lines of all files, and of one, are in the diff. */
const LINES_MAX = 10_000;
const FILE_LINES_MAX = 3_000;
const DIFF_BYTES_MAX = 4 * 1024 * 1024;
const LISTED_BYTES_MAX = 8 * 1024 * 1024;
const HOW = ['--no-color', '--no-ext-diff', '--no-textconv', '--find-renames', '--ignore-submodules=none'];

/** Only trees are compared: the folder may be gone. */
const WITHOUT = { isWithoutFiles: true } as const;

/** Compares two trees. A diff that would be too long leaves out whole files, and says so. */
export async function compare(
  place: Place,
  { from, to, isListOnly }: { readonly from: string; readonly to: string; readonly isListOnly: boolean },
  clock: Clock,
): Promise<Compared | { readonly why: string }> {
  const diff = ['diff-tree', '-r', ...HOW, from, to];
  const listed = await shadowGit(place, [...diff, '-z', '--raw', '--numstat'], clock, {
    ...WITHOUT,
    bytesMax: LISTED_BYTES_MAX,
  });
  if (!listed.ok) return listed;
  const all = filesIn(listed.out.toString('utf8'));
  const files = isListOnly ? all : withDiff(all);
  const sum = (of: 'additions' | 'deletions'): number => all.reduce((total, file) => total + (file[of] ?? 0), 0);
  const counts = { additions: sum('additions'), deletions: sum('deletions') };
  const shown = { files: files.slice(0, FILES_MAX), moreFiles: Math.max(0, files.length - FILES_MAX), ...counts };
  const paths = files.filter(({ inDiff }) => inDiff).flatMap(({ path, from: old }) => [path, ...(old ? [old] : [])]);
  if (isListOnly || paths.length === 0) return { ...shown, diff: '', cut: isListOnly ? null : cutText(files) };
  const patch = await shadowGit(place, [...diff, '-p', '--', ...paths], clock, {
    ...WITHOUT,
    bytesMax: DIFF_BYTES_MAX,
  });
  if (!patch.ok)
    return { ...shown, files: shown.files.map(listedOnly), diff: '', cut: `the diff is too large: ${patch.why}` };
  return { ...shown, diff: toText(patch.out), cut: cutText(files) };
}

const STATUS: Readonly<Record<string, File['status']>> = {
  A: 'added',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  T: 'modified',
};

/** Reads `--raw --numstat -z`: first all raw records, then all counts. */
function filesIn(text: string): File[] {
  const words = text.split('\0');
  const statuses = new Map<string, File['status']>();
  const files: File[] = [];
  for (let at = 0; at < words.length; ) {
    const word = words[at] ?? '';
    const raw = /^:\d+ \d+ \w+ \w+ ([A-Z])\d*$/.exec(word)?.[1];
    const counts = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(word);
    if (raw !== undefined) {
      const isMoved = raw === 'R' || raw === 'C';
      statuses.set(words[at + (isMoved ? 2 : 1)] ?? '', STATUS[raw] ?? 'modified');
      at += isMoved ? 3 : 2;
    } else if (counts !== null) {
      const [, additions = '-', deletions = '-', name = ''] = counts;
      const isMoved = name === '';
      const path = isMoved ? (words[at + 2] ?? '') : name;
      const old = isMoved ? { from: words[at + 1] ?? '' } : {};
      const number = (count: string): number | null => (count === '-' ? null : Number(count));
      const lines = { additions: number(additions), deletions: number(deletions) };
      files.push({
        path,
        ...old,
        status: statuses.get(path) ?? 'modified',
        ...lines,
        binary: additions === '-',
        inDiff: false,
      });
      at += isMoved ? 3 : 1;
    } else at += 1;
  }
  return files;
}

/** Marks the files that fit into the diff. */
function withDiff(files: readonly File[]): File[] {
  let [lines, count] = [0, 0];
  return files.map((file) => {
    const size = (file.additions ?? 0) + (file.deletions ?? 0);
    const isFitting = size <= FILE_LINES_MAX && lines + size <= LINES_MAX && count < DIFF_FILES_MAX;
    if (file.binary || !isFitting) return file;
    lines += size;
    count += 1;
    return { ...file, inDiff: true };
  });
}

function listedOnly(file: File): File {
  return { ...file, inDiff: false };
}

function cutText(files: readonly File[]): string | null {
  const [large, binary] = [files.filter((file) => !file.inDiff && !file.binary), files.filter((file) => file.binary)];
  const texts = [
    ...(large.length === 0
      ? []
      : [`${large.length} large ${large.length === 1 ? 'file is' : 'files are'} not in the diff`]),
    ...(binary.length === 0
      ? []
      : [`${binary.length} binary ${binary.length === 1 ? 'file is' : 'files are'} not in the diff`]),
  ];
  return texts.length === 0 ? null : texts.join(', ');
}
