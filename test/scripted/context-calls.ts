import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { contextFrame, hasContext } from '../../src/agent/claude/context.ts';
import { saying } from './gate-answers.ts';
import { askedOf, bash, type Stand, story } from './gate-stand.ts';

/** For the shell: tells the model a text after a tool. */
const telling = (event: string, text: string): string => saying(contextFrame(event).join(JSON.stringify(text)));

function settingsOf(bodies: Readonly<Record<string, string>>): string {
  const rules = (body: string): object[] => {
    const command = `payload=$(cat); printf '%s\\n' "$payload" >>asked; ${body}`;
    return [{ hooks: [{ type: 'command', command, timeout: 5 }] }];
  };
  return JSON.stringify({
    hooks: Object.fromEntries(Object.entries(bodies).map(([event, body]) => [event, rules(body)])),
  });
}

const transcriptOf = (stand: Stand): string => readFileSync(String(askedOf(stand)[0]?.transcript_path), 'utf8');

/** What is told with any agent about what hooks say to the model, each under its sentence. */
export const CONTEXTS: Readonly<Record<string, (stand: Stand) => Promise<void>>> = {
  'what a hook tells the model after a tool, or after one that failed, is in the transcript': async (stand) => {
    const settings = settingsOf({
      UserPromptSubmit: telling('UserPromptSubmit', 'mark-prompt'),
      PostToolUse: telling('PostToolUse', 'mark-1 a "word"\nof news'),
      PostToolUseFailure: telling('PostToolUseFailure', `mark-2 ${'x'.repeat(9_000)} mark-3`),
    });
    await stand.run(story(bash('true'), bash('exit 3'), { text: 'mark-4' }), settings, 'none');
    const marks = ['prompt', '1', '2', '3', '4'].map((mark) => hasContext(transcriptOf(stand), `mark-${mark}`));
    expect(marks).toEqual([true, true, true, true, false]);
  },

  'of more than ten thousand characters the model is shown the beginning': async (stand) => {
    const settings = settingsOf({ PostToolUse: telling('PostToolUse', `mark-5 ${'x'.repeat(12_000)} mark-6`) });
    await stand.run(story(bash('true'), { text: 'end' }), settings, 'none');
    expect(['5', '6'].map((mark) => hasContext(transcriptOf(stand), `mark-${mark}`))).toEqual([true, false]);
  },

  'what a hook tells a sub-agent is not told to the agent': async (stand) => {
    const own = story(bash('true'), { text: 'inner end' });
    const input = { description: 'd', prompt: own, subagent_type: 'general-purpose', run_in_background: false };
    const mine = telling('PostToolUse', 'mark-7');
    const other = telling('PostToolUse', 'mark-8');
    const settings = settingsOf({ PostToolUse: `case $payload in *'"agent_id":'*) ${mine} ;; *) ${other} ;; esac` });
    await stand.run(story({ tool: 'Agent', input }, { text: 'end' }), settings, 'none');
    expect(askedOf(stand).map(({ agent_id }) => typeof agent_id)).toEqual(['string', 'undefined']);
    expect(['7', '8'].map((mark) => hasContext(transcriptOf(stand), `mark-${mark}`))).toEqual([false, true]);
  },
};
