import { READERS, WRITERS } from './file.ts';
import { hostOf } from './host.ts';
import { fieldOf } from './input.ts';
import { judge } from './judge.ts';
import { absolutePath } from './path.ts';
import { type Call, parseRule, type Rule } from './rules.ts';

/** They look at everything below a folder. */
const SEARCHERS: ReadonlySet<string> = new Set(['Glob', 'Grep', 'LS']);

/**
 * The narrowest rule that says the same about this call the next time; null when there is none that says it for
 * certain, or only one that would say it about more than this.
 */
export function ruleFor(effect: 'allow' | 'deny', call: Call): Rule | null {
  const text = textFor(call);
  return text === null ? null : ruleThatFits(effect, text, call);
}

/** The rule that a text is, when by itself it decides about this call. */
export function ruleThatFits(effect: 'allow' | 'deny', text: string, call: Call): Rule | null {
  const parsed = parseRule(effect, text);
  if (!parsed.ok) return null;
  return judge([parsed.rule], call).verdict === effect ? parsed.rule : null;
}

function textFor(call: Call): string | null {
  const { tool, input } = call;
  if (tool === 'Bash') return commandText(fieldOf(input, 'command'));
  if (READERS.has(tool) || WRITERS.has(tool)) return fileText(call);
  if (tool === 'WebFetch') return hostText(fieldOf(input, 'url'));
  return /^[A-Za-z0-9_-]+$/.test(tool) ? tool : null;
}

/** A star in a rule is any text, so a command that has one would become many. */
function commandText(command: unknown): string | null {
  if (typeof command !== 'string' || command.includes('*') || command.trim() === '') return null;
  return `Bash(${command})`;
}

function fileText(call: Call): string | null {
  const { tool, input } = call;
  const given = fieldOf(input, 'file_path') ?? fieldOf(input, 'notebook_path') ?? fieldOf(input, 'path');
  const isSearch = SEARCHERS.has(tool);
  const named = given === undefined && isSearch ? (call.cwd ?? call.workspace) : given;
  const path = typeof named === 'string' ? absolutePath(named, call) : null;
  if (path === null || /[*?[\]{}]/.test(path)) return null;
  return `${tool}(/${path}${isSearch ? '/**' : ''})`;
}

function hostText(address: unknown): string | null {
  const found = hostOf(address);
  if (found === null) return null;
  return `WebFetch(domain:${found.host}${found.port === '' ? '' : `:${found.port}`})`;
}
