import type { CallOutput } from '../../api/contract.ts';
import type { Event } from '../../core/event.ts';
import { Ends } from './ends.ts';
import { count, plain } from './head.ts';
import { storyText } from './lines.ts';
import { RunStories } from './runs.ts';

type Line = CallOutput<'session.report'>['timeline'][number];

const FIRST_MAX = 15;
const LAST_MAX = 85;
const TOOLS_MAX = 30;
const TOOL_CHARS_MAX = 60;

/** Collects the timeline of a session from its events, one by one, and never grows beyond one page. */
export class Story {
  readonly runs = new RunStories();
  readonly #lines = new Ends<Line>(FIRST_MAX, LAST_MAX);
  readonly #tools = new Map<string, number>();
  /** Tool calls since the last line: they are shown together. */
  readonly #lately = new Map<string, number>();
  #calledAtMs = 0;
  /** A question, until it is known whether a rule answered it. */
  #asked: Event | null = null;

  add(event: Event): void {
    this.runs.add(event);
    this.#addAsked(event);
    if (event.body.type === 'approval.asked') this.#asked = event;
    else this.#addLine(event);
  }

  /** Adds a pending question. Rules decide at once, so such a question is not shown. */
  #addAsked({ body }: Event): void {
    const asked = this.#asked;
    this.#asked = null;
    if (asked !== null && !(body.type === 'approval.decided' && body.rule !== null)) this.#addLine(asked);
  }

  #addLine(event: Event): void {
    const { body, atMs } = event;
    if (body.type === 'tool.called') {
      this.#calledAtMs = atMs;
      for (const counts of [this.#tools, this.#lately]) bump(counts, body.tool);
      return;
    }
    const text = storyText(event);
    if (text === null) return;
    this.#flush();
    this.#lines.add({ atMs, text });
  }

  timeline(): Line[] {
    if (this.#asked !== null) this.#addLine(this.#asked);
    this.#asked = null;
    this.#flush();
    return this.#lines.all((leftOut) => ({ atMs: null, text: `… ${count(leftOut, 'line')} left out here …` }));
  }

  /** How often each tool was called, most used first. */
  tools(): Record<string, number> {
    return Object.fromEntries([...this.#tools].sort(([, a], [, b]) => b - a));
  }

  #flush(): void {
    if (this.#lately.size === 0) return;
    const sum = [...this.#lately.values()].reduce((a, b) => a + b, 0);
    const each = [...this.#lately].map(([tool, times]) => `${tool} ${times}`).join(', ');
    this.#lately.clear();
    this.#lines.add({ atMs: this.#calledAtMs, text: plain(`${count(sum, 'tool call')}: ${each}`) });
  }
}

function bump(counts: Map<string, number>, name: string): void {
  const tool = plain(name, TOOL_CHARS_MAX);
  const key = counts.has(tool) || counts.size < TOOLS_MAX ? tool : 'others';
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
