/** Reads server-sent events in pieces of any size: returns the data of each complete event. */
export class EventReader {
  #rest = '';
  #data: string[] = [];

  read(piece: string): string[] {
    const lines = `${this.#rest}${piece}`.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    const events: string[] = [];
    for (const line of lines) {
      if (line.startsWith('data:')) this.#data.push(line.slice(line[5] === ' ' ? 6 : 5));
      else if (line === '' && this.#data.length > 0) events.push(this.#data.splice(0).join('\n'));
    }
    return events;
  }
}
