/** The result of `state check`, as it is printed. */
export interface StateCheck {
  readonly ok: boolean;
  readonly file: string;
  /** The id of the journal; null: it cannot be read. */
  readonly journal: string | null;
  readonly problems: readonly string[];
  /** Folders of sessions that the journal does not know. */
  readonly unknown: readonly string[];
  /** Journals that were kept aside, newest first. */
  readonly aside: readonly string[];
  readonly backups: readonly string[];
}

/** What to do about a journal that is damaged. */
export const REPAIR = 'To repair it: outlast daemon stop; outlast state repair';

/** The name of the check in the result of `doctor`. */
export const JOURNAL_CHECK = 'journal';

/** The journal check of `doctor`. */
export function journalCheckOf({ ok, file, problems, backups, aside, unknown }: StateCheck): {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly hint?: string;
} {
  const name = JOURNAL_CHECK;
  if (!ok) return { name, ok, detail: `${file} is damaged: ${problems.join('; ')}`, hint: REPAIR };
  const [last = ''] = aside;
  const more = [
    `${backups.length} backups`,
    ...(aside.length === 0 ? [] : [`${aside.length} kept aside in ${last.slice(0, last.lastIndexOf('/'))}`]),
    ...(unknown.length === 0 ? [] : [`does not know ${unknown.length} folders, see outlast state check`]),
  ];
  return { name, ok, detail: `${file} (${more.join(', ')})` };
}
