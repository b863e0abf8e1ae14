import type { FoundText } from '../../api/contract-search.ts';

/** What was found in one conversation. */
export interface FoundGroup {
  readonly key: string;
  /** Newest first, each with its place in the whole list. */
  readonly texts: readonly { readonly text: FoundText; readonly index: number }[];
  /** The newest of them: it says which conversation it is. */
  readonly first: FoundText;
}

/** What was found by conversation; the one in which it was said last comes first. */
export function groupsOf(found: readonly FoundText[]): readonly FoundGroup[] {
  const groups = Map.groupBy(found, ({ agent, session, conversation, path }) =>
    session === null ? `${agent} ${conversation === '' ? path : conversation}` : session.id,
  );
  let index = 0;
  return [...groups].flatMap(([key, texts]) => {
    const [first] = texts;
    return first === undefined ? [] : [{ key, first, texts: texts.map((text) => ({ text, index: index++ })) }];
  });
}

/** A part of a text that was found: words that were searched for, or what is around them. */
export interface FoundPart {
  readonly text: string;
  readonly isMark: boolean;
}

/** The parts of a text, in order. */
export function partsOf({ text, marks }: Pick<FoundText, 'text' | 'marks'>): readonly FoundPart[] {
  const parts: FoundPart[] = [];
  let at = 0;
  for (const { from, to } of marks.toSorted((a, b) => a.from - b.from)) {
    // Marks may touch each other; a character is shown once.
    const begin = Math.max(from, at);
    if (to <= begin) continue;
    parts.push({ text: text.slice(at, begin), isMark: false }, { text: text.slice(begin, to), isMark: true });
    at = to;
  }
  return [...parts, { text: text.slice(at), isMark: false }].filter((part) => part.text !== '');
}
