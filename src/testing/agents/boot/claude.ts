import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claude } from '../../../agent/claude/claude.ts';
import type { Verdict } from '../../../agent/seam/conversations.ts';
import { asFields, asList, asText, type Fields } from '../../../agent/seam/json.ts';
import { AGENTS, type BootSamples, type Standing } from './samples.ts';

export const claudeBoots: BootSamples = {
  conversations: claude.conversations,
  folder: join(AGENTS, 'claude/cases/transcript'),
  file: 'transcript.jsonl',
  verdicts: claudeVerdicts(join(AGENTS, 'claude/cases/transcript')),
  standing: claudeStanding,
  answered: 'resumed-and-complete',
};

/** The verdicts of Claude Code are in its golden cases. */
function claudeVerdicts(folder: string): Record<string, Verdict> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => {
      const { found } = JSON.parse(readFileSync(join(folder, name, 'expected.json'), 'utf8'));
      return [name, found.judged.is as Verdict];
    }),
  );
}

function claudeStanding(line: Fields): Standing | null {
  const { type, isSidechain, isMeta, isCompactSummary, attachment } = line;
  const message = asFields(line.message);
  if (asFields(attachment)?.type === 'queued_command') return 'open';
  if (isSidechain === true || isCompactSummary === true || message === null) return null;
  // What the agent wrote in the place of a model or of a person follows something that decides.
  if (message.model === '<synthetic>') return line.isApiErrorMessage === true ? 'ended' : 'unclear';
  if (isMeta === true) return 'unclear';
  const content = message.content;
  // Some commands of the agent have an answer.
  if (typeof content === 'string' && /^<(local-)?command-/.test(content)) return 'unclear';
  const texts = typeof content === 'string' ? [content] : asList(content).map((each) => asText(asFields(each)?.text));
  if (type === 'user') return texts.some((text) => text?.startsWith('[Request interrupted')) ? 'ended' : 'open';
  if (type !== 'assistant') return null;
  return ['end_turn', 'stop_sequence', 'max_tokens', 'refusal'].includes(asText(message.stop_reason) ?? '')
    ? 'ended'
    : 'open';
}
