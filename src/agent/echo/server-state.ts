import { asFields, asList, asNumber, asText, type Fields } from '../seam/json.ts';

/** The known state of a server process of echo. Plain JSON. */
export interface EchoState {
  /** The first request was answered. */
  readonly isOpen: boolean;
  readonly conversation: string | null;
  /** The last note that is included. */
  readonly n: number;
  readonly turn: string | null;
  readonly questions: readonly string[];
  /** The last prompts and answers that the agent has received. */
  readonly had: readonly string[];
  /** The ids of refused messages. */
  readonly refused: readonly string[];
  /** The ids of our last messages. */
  readonly sent: readonly string[];
  readonly trouble: string | null;
  /** Notes of a new connection before echo has returned its state: older ones may be in that. */
  readonly early?: readonly Fields[];
}

/** The state before the first message. */
export const EMPTY: EchoState = {
  isOpen: false,
  conversation: null,
  n: 0,
  turn: null,
  questions: [],
  had: [],
  refused: [],
  sent: [],
  trouble: null,
};

/** There are never more ids in flight. */
const IDS_MAX = 64;

/** Adds an id at the end. */
export function withId(ids: readonly string[], id: string): readonly string[] {
  return ids.includes(id) ? ids : [...ids, id].slice(-IDS_MAX);
}

/** The state after a note of echo. A note that is already included changes nothing. */
export function afterNote(state: EchoState, note: Fields): EchoState {
  const n = asNumber(note.n) ?? 0;
  const known = { ...state, had: hadAfter(state.had, note) };
  if (n <= state.n) return known;
  const [turn, question] = [asText(note.turn), asText(note.question)];
  switch (note.on) {
    case 'opened':
      return { ...known, n, conversation: asText(note.conversation) };
    case 'prompted':
      return { ...known, n, turn };
    case 'asked':
      return question === null ? { ...known, n } : { ...known, n, questions: withId(state.questions, question) };
    case 'answered':
      return { ...known, n, questions: state.questions.filter((each) => each !== question) };
    case 'stopped':
      return { ...known, n, turn: null, questions: [] };
    default:
      return { ...known, n };
  }
}

function hadAfter(had: readonly string[], note: Fields): readonly string[] {
  const id = note.on === 'prompted' ? asText(note.prompt) : note.on === 'answered' ? asText(note.question) : null;
  return id === null ? had : withId(had, id);
}

/** Keeps a note until echo has returned its state. */
export function withEarly(state: EchoState, note: Fields): EchoState {
  return { ...state, early: [...(state.early ?? []), note] };
}

/** The early notes that are newer than the state which echo has returned. */
export function newerNotes({ early = [] }: EchoState, standing: Fields): readonly Fields[] {
  const n = asNumber(standing.n) ?? 0;
  return early.filter((note) => (asNumber(note.n) ?? 0) > n);
}

/** The state after echo has returned its own. A note may be newer than that. */
export function afterStanding({ early: _, ...state }: EchoState, standing: Fields): EchoState {
  const prompts = asList(standing.prompts).flatMap((each) => asText(asFields(each)?.prompt) ?? []);
  const had = prompts.reduce(withId, state.had);
  const known = { ...state, isOpen: true, had, conversation: asText(standing.conversation) };
  const n = asNumber(standing.n) ?? 0;
  if (n < state.n) return known;
  const questions = asList(standing.questions).flatMap((each) => asText(asFields(each)?.question) ?? []);
  return { ...known, n, turn: asText(standing.turn), questions };
}
