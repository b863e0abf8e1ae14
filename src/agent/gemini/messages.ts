import { readJsonLines } from '../seam/json.ts';
import { type Change, changeOf, type Message } from './chat.ts';

/** The messages after more lines of a file. A line may change what earlier lines say. */
export function messagesAfter(messages: readonly Message[], text: string): readonly Message[] {
  return readJsonLines(text).lines.reduce((all, line) => {
    const change = changeOf(line);
    return change === null ? all : changed(all, change);
  }, messages);
}

function changed(all: readonly Message[], change: Change): readonly Message[] {
  switch (change.do) {
    case 'put':
      return put(all, change.message);
    case 'replace':
      return change.messages;
    case 'rewind':
      return all.slice(
        0,
        Math.max(
          0,
          all.findIndex(({ id }) => id === change.to),
        ),
      );
  }
}

/** A message that is there already is replaced: this is a newer version. */
function put(all: readonly Message[], message: Message): readonly Message[] {
  const at = message.id === '' ? -1 : all.findLastIndex(({ id, is }) => id === message.id && is === message.is);
  return at < 0 ? [...all, message] : all.with(at, message);
}
