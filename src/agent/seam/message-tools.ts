import type { HookReport } from './hooks.ts';
import { asFields, asList, asText, type Fields, readObject } from './json.ts';
import { toolCalled, toolEnded } from './tool-facts.ts';

interface Open {
  readonly name: string;
  readonly atMs: number;
}

interface Failed {
  readonly id: string;
  /** The call that started the sub-agent of this tool; null for the agent itself. */
  readonly parent: string | null;
  readonly error: string;
  readonly atMs: number;
}

const UNSEEN: Open = { name: 'unknown', atMs: Number.NaN };

/**
 * Reports the tool calls in a stream of messages with content blocks, line by line: how Claude Code prints a run of one
 * turn, and agents that follow it.
 */
export class ToolListener {
  readonly #run: number;
  readonly #open = new Map<string, Open>();
  /** Sub-agents by the call that started them. */
  readonly #subagents = new Map<string, string>();
  #failed: readonly Failed[] = [];

  constructor(run: number) {
    this.#run = run;
  }

  hear(line: string): HookReport[] {
    // Most lines are not about tools, and are not even parsed.
    if (this.#failed.length === 0 && !line.includes('"tool_use')) return [];
    const fields = readObject(line);
    if (fields === null) return [];
    const parent = asText(fields.parent_tool_use_id);
    const atMs = Date.parse(asText(fields.timestamp) ?? '');
    const blocks = asList(asFields(fields.message)?.content)
      .map(asFields)
      .filter((block) => block !== null);
    switch (fields.type) {
      case 'assistant': {
        const seen = this.#sawFail((one) => one.parent === parent);
        return [...seen, ...blocks.flatMap((block) => this.#called(block, parent, atMs))];
      }
      case 'user':
        return blocks.flatMap((block) => this.#result(block, parent, atMs));
      case 'result':
        return this.#sawFail(() => true);
      default:
        this.#began(fields);
        return [];
    }
  }

  #called(block: Fields, parent: string | null, atMs: number): HookReport[] {
    const [id, name] = [asText(block.id), asText(block.name)];
    if (block.type !== 'tool_use' || id === null || name === null || this.#open.has(id)) return [];
    this.#open.set(id, { name, atMs });
    const subagent = parent === null ? null : (this.#subagents.get(parent) ?? parent);
    const fact = toolCalled(this.#run, { id, name, input: block.input ?? null, subagent });
    return [{ type: 'hook.noted', run: this.#run, fact }];
  }

  #result(block: Fields, parent: string | null, atMs: number): HookReport[] {
    const id = asText(block.tool_use_id);
    if (block.type !== 'tool_result' || id === null) return [];
    if (block.is_error !== true) return this.#ended(id, null, atMs);
    this.#failed = [...this.#failed, { id, parent, error: textOf(block.content), atMs }];
    return [];
  }

  /**
   * An agent that is being ended reports its tools as failed, but their real result is unknown. Only if the agent or
   * sub-agent that called them speaks again, it has seen them fail.
   */
  #sawFail(isSeen: (one: Failed) => boolean): HookReport[] {
    const seen = this.#failed.filter(isSeen);
    this.#failed = this.#failed.filter((one) => !seen.includes(one));
    return seen.flatMap(({ id, error, atMs }) => this.#ended(id, error, atMs));
  }

  #ended(id: string, error: string | null, atMs: number): HookReport[] {
    // Of a call that was made and deferred in an earlier run, only the end is in this one.
    const call = this.#open.get(id) ?? UNSEEN;
    this.#open.delete(id);
    const tookMs = Number.isFinite(atMs - call.atMs) ? Math.max(0, atMs - call.atMs) : null;
    const fact = toolEnded(this.#run, { id, name: call.name, error, tookMs });
    return [{ type: 'hook.noted', run: this.#run, fact }];
  }

  #began(fields: Fields): void {
    const [call, id] = [asText(fields.tool_use_id), asText(fields.task_id)];
    if (fields.subtype === 'task_started' && call !== null && id !== null) this.#subagents.set(call, id);
  }
}

function textOf(content: unknown): string {
  const texts = asList(content).flatMap((block) => asText(asFields(block)?.text) ?? []);
  return asText(content) ?? texts.join('\n');
}
