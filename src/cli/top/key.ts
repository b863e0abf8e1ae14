/** A key of a person, or text: typed, perhaps several characters at once, or pasted. */
export type Key = { readonly is: 'key'; readonly name: KeyName } | Text;
type Text = { readonly is: 'text' | 'paste'; readonly text: string };

export type KeyName =
  | ('up' | 'down' | 'left' | 'right' | 'home' | 'end' | 'page up' | 'page down')
  | ('enter' | 'escape' | 'tab' | 'backspace' | 'delete' | 'unknown')
  | `ctrl-${string}`;

/** Escape sequences of the keys that mean something here, without the ESC. */
const SEQUENCES: Readonly<Record<string, KeyName>> = {
  ...{ '[A': 'up', '[B': 'down', '[C': 'right', '[D': 'left', OA: 'up', OB: 'down', OC: 'right', OD: 'left' },
  ...{ '[H': 'home', '[F': 'end', OH: 'home', OF: 'end', '[1~': 'home', '[4~': 'end', '[7~': 'home', '[8~': 'end' },
  ...{ '[5~': 'page up', '[6~': 'page down', '[3~': 'delete' },
};

const CONTROLS: Readonly<Record<string, KeyName>> = {
  ...{ '\r': 'enter', '\n': 'enter', '\t': 'tab', '\x7f': 'backspace', '\b': 'backspace' },
};

const SEQUENCE = /^\x1b(?:\[[0-9;?]*[A-Za-z~^$]|O[A-Za-z])/;
/** The beginning of a sequence whose end has not arrived. */
const UNFINISHED = /^\x1b(?:\[[0-9;?]*|O)?$/;
const PASTE = '\x1b[200~';
const PASTE_END = '\x1b[201~';

/** What was read so far: the keys in it, and the beginning of one that is not complete. */
export interface Decoded {
  readonly keys: readonly Key[];
  readonly rest: string;
}

/** Splits what a terminal sends into keys. A sequence or a paste may come in several parts. */
export function decodeKeys(text: string): Decoded {
  const keys: Key[] = [];
  let rest = text;
  while (rest !== '') {
    const taken = nextKey(rest);
    if (taken === null) break;
    const [key, length] = taken;
    const last = keys.at(-1);
    // Neighbouring characters are one text: a line that is typed ahead is not drawn once for each.
    if (key.is === 'text' && last?.is === 'text') keys[keys.length - 1] = { is: 'text', text: last.text + key.text };
    else keys.push(key);
    rest = rest.slice(length);
  }
  return { keys, rest };
}

/** The first key and its length; null when it is not complete. */
function nextKey(text: string): readonly [Key, number] | null {
  if (text.startsWith(PASTE)) return pasteOf(text);
  if (UNFINISHED.test(text) || (PASTE.startsWith(text) && text !== '\x1b')) return null;
  const sequence = SEQUENCE.exec(text)?.[0];
  if (sequence !== undefined) return [keyOf(SEQUENCES[sequence.slice(1)] ?? 'unknown'), sequence.length];
  const [first = ''] = text;
  // Alt and a letter.
  if (first === '\x1b') return [keyOf('unknown'), 1 + (text[1] === undefined ? 0 : 1)];
  const control = CONTROLS[first];
  if (control !== undefined) return [keyOf(control), 1];
  const code = first.charCodeAt(0);
  if (code < 0x20) return [keyOf(`ctrl-${String.fromCharCode(code + 0x60)}`), 1];
  return [{ is: 'text', text: first }, first.length];
}

function pasteOf(text: string): readonly [Key, number] | null {
  const end = text.indexOf(PASTE_END);
  if (end < 0) return null;
  return [{ is: 'paste', text: text.slice(PASTE.length, end).replace(/\r\n?/g, '\n') }, end + PASTE_END.length];
}

/** An unfinished sequence after which nothing more came: Escape was pressed by itself. */
export function flushedKeys(rest: string): readonly Key[] {
  return rest === '' || rest.startsWith(PASTE) ? [] : [keyOf(rest === '\x1b' ? 'escape' : 'unknown')];
}

function keyOf(name: KeyName): Key {
  return { is: 'key', name };
}
