import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { contextFrame, hasContext } from '../../src/agent/claude/context.ts';
import { printing } from './gate-answers.ts';
import { type AgentBench, askedOf, bash, story } from './gate-bench.ts';

/** The shell command with which a hook adds a text to the context of the model. */
const addContext = (event: string, text: string): string => printing(contextFrame(event).join(JSON.stringify(text)));

function settingsOf(bodies: Readonly<Record<string, string>>): string {
  const rules = (body: string): object[] => {
    const command = `payload=$(cat); printf '%s\\n' "$payload" >>asked; ${body}`;
    return [{ hooks: [{ type: 'command', command, timeout: 5 }] }];
  };
  return JSON.stringify({
    hooks: Object.fromEntries(Object.entries(bodies).map(([event, body]) => [event, rules(body)])),
  });
}

const transcriptOf = (bench: AgentBench): string => readFileSync(String(askedOf(bench)[0]?.transcript_path), 'utf8');

/** Cases about the context that hooks add for the model, for any agent, by title. */
export const CONTEXTS: Readonly<Record<string, (bench: AgentBench) => Promise<void>>> = {
  'the context that a hook adds after a tool, also after one that failed, is in the transcript': async (bench) => {
    const settings = settingsOf({
      UserPromptSubmit: addContext('UserPromptSubmit', 'mark-prompt'),
      PostToolUse: addContext('PostToolUse', 'mark-1 a "word"\nof news'),
      PostToolUseFailure: addContext('PostToolUseFailure', `mark-2 ${'x'.repeat(9_000)} mark-3`),
    });
    await bench.run(story(bash('true'), bash('exit 3'), { text: 'mark-4' }), settings, 'none');
    const marks = ['prompt', '1', '2', '3', '4'].map((mark) => hasContext(transcriptOf(bench), `mark-${mark}`));
    expect(marks).toEqual([true, true, true, true, false]);
  },

  'of a context with more than ten thousand characters, the model is shown only the beginning': async (bench) => {
    const settings = settingsOf({ PostToolUse: addContext('PostToolUse', `mark-5 ${'x'.repeat(12_000)} mark-6`) });
    await bench.run(story(bash('true'), { text: 'end' }), settings, 'none');
    expect(['5', '6'].map((mark) => hasContext(transcriptOf(bench), `mark-${mark}`))).toEqual([true, false]);
  },

  'the context that a hook adds for a sub-agent is not added for the agent': async (bench) => {
    const own = story(bash('true'), { text: 'inner end' });
    const input = { description: 'd', prompt: own, subagent_type: 'general-purpose', run_in_background: false };
    const mine = addContext('PostToolUse', 'mark-7');
    const other = addContext('PostToolUse', 'mark-8');
    const settings = settingsOf({ PostToolUse: `case $payload in *'"agent_id":'*) ${mine} ;; *) ${other} ;; esac` });
    await bench.run(story({ tool: 'Agent', input }, { text: 'end' }), settings, 'none');
    expect(askedOf(bench).map(({ agent_id }) => typeof agent_id)).toEqual(['string', 'undefined']);
    expect(['7', '8'].map((mark) => hasContext(transcriptOf(bench), `mark-${mark}`))).toEqual([false, true]);
  },
};
