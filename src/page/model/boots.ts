import type { BootView, ConversationView } from '../../api/contract-boot.ts';

type Verdict = ConversationView['verdict'];

/** How a verdict looks; the others are quiet. */
const LOOKS: Readonly<Partial<Record<Verdict, 'need' | 'ok' | 'park' | 'bad' | 'work'>>> = {
  interrupted: 'need',
  waiting: 'park',
  limited: 'park',
  failed: 'bad',
  unreadable: 'bad',
  alive: 'work',
  complete: 'ok',
};

/** The order of the verdicts: what a person may have to do something about comes first. */
const ORDER: readonly Verdict[] = [
  ...(['interrupted', 'waiting', 'failed', 'limited', 'alive', 'handled', 'unknown', 'unreadable'] as const),
  ...(['foreign-owner', 'complete', 'trivial', 'system', 'stale'] as const),
];

/** How a verdict looks. */
export function lookOfVerdict(verdict: Verdict): 'need' | 'ok' | 'park' | 'bad' | 'work' | 'quiet' {
  return LOOKS[verdict] ?? 'quiet';
}

/** How many conversations have each verdict. */
export function verdictCounts({ counts }: Pick<BootView, 'counts'>): readonly { verdict: Verdict; count: number }[] {
  return ORDER.flatMap((verdict) => {
    const count = counts[verdict] ?? 0;
    return count === 0 ? [] : [{ verdict, count }];
  });
}

/** What a person may resume: interrupted, and not resumed yet. */
export function resumable(boot: Pick<BootView, 'conversations'>): readonly ConversationView[] {
  return boot.conversations.filter(({ verdict, did }) => verdict === 'interrupted' && did === 'nothing');
}

/** The conversations by verdict, each newest first. */
export function byVerdict({ conversations }: Pick<BootView, 'conversations'>): readonly ConversationView[] {
  return conversations.toSorted((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict) || b.atMs - a.atMs);
}

/**
 * The look that is shown: the newest that looked at everything. A resume of named conversations looks at those alone;
 * what it did is put into the look before it.
 */
export function shownBoot(boots: readonly BootView[]): BootView | null {
  const [newest] = boots;
  if (newest === undefined) return null;
  const at = boots.findIndex(({ why }) => why !== 'asked');
  const whole = boots[Math.max(at, 0)] ?? newest;
  const later = boots.slice(0, Math.max(at, 0));
  return later.reverse().reduce(withDone, whole);
}

/** A look, with what was done about its conversations since. */
export function withDone(boot: BootView, later: BootView): BootView {
  const done = new Map(later.conversations.map((each) => [each.id, each]));
  const conversations = boot.conversations.map((each) => done.get(each.id) ?? each);
  return { ...boot, conversations };
}
