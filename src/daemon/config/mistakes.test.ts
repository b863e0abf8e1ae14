import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { mistakesIn } from './mistakes.ts';
import { editorSchema } from './shape.ts';

const ENV = { HOME: '/home/ann' };
const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(editorSchema());

/** The lines, keys and messages of the mistakes. */
const said = (text: string): string[] => mistakesIn(text, ENV).map(({ line, key, says }) => `${line} ${key}: ${says}`);

test('every mistake is named with its line, its key and what is allowed', () => {
  const lines = [
    '{',
    '  "runsMax": "many",',
    '  "retention": { "everyms": 5, "ageMsMax": -1 },',
    '  "agents": { "x": { "turn": ["a", "{promt}"] } },',
    '  "gate": "on",',
    '  "notices": [{ "name": "A", "desktop": true }],',
    '  "state": "/x"',
    '}',
  ];
  expect(said(lines.join('\n'))).toEqual([
    '2 runsMax: is "many"; allowed: 1 to 100000',
    '3 retention.everyms: is not a key; did you mean "retention.everyMs"?',
    '3 retention.ageMsMax: is -1; allowed: 0 or more',
    '4 agents.x.turn.1: there is no {promt} here; available: {prompt_file}, {conversation}, {model}, {workspace}',
    '5 gate: is "on"; allowed: `off`, `watch`, `gate`',
    '6 notices.0.name: must be a-z, 0-9 and -, at most 63 characters',
    '7 state: is not allowed in the file; set OUTLAST_STATE instead',
  ]);
});

test('a key that is written twice is a mistake: the first value would be lost', () => {
  expect(said('{"agent": "a",\n "agent": "b"}')).toEqual([
    '2 agent: is written twice in this object; the last one counts',
  ]);
});

test('a file that is no object, or empty, is a mistake', () => {
  expect(said('[]')).toEqual(['1 : the file must have one object: { … }']);
  expect(said('')).toEqual(['1 : a value is expected here; is there an extra comma before it?']);
});

/** Configs, and whether they can be used. */
const TABLE: [unknown, boolean][] = [
  [{}, true],
  [{ $schema: './schema.json', agent: 'codex' }, true],
  [{ $schema: 1 }, false],
  [{ runsMax: 0 }, false],
  [{ runMax: 1 }, false],
  [{ state: '/x' }, false],
  [{ models: { claude: { big: 'x' }, small: 'y' } }, true],
  [{ models: { claude: { big: 1 } } }, false],
  [{ agents: { mine: { turn: ['llm'] } } }, true],
  [{ agents: { mine: { acp: ['x', 'acp'] } } }, true],
  [{ agents: { mine: { turn: ['llm'], turns: 1 } } }, false],
  [{ policy: { budget: { usd: 5 } }, boot: { folders: ['~/x'] } }, true],
  [{ notices: [{ name: 'a', webhook: { url: 'http://a', headers: { 'x-key': { file: '~/k' } } } }] }, true],
  [{ notices: [{ name: 'a', webhook: { url: 'http://a', secret: 'x' } }] }, false],
  [{ rules: { deny: ['Bash(rm *)'] } }, true],
];

test.each(TABLE)('the schema for editors judges %j as the check does', (config, isFine) => {
  expect(mistakesIn(JSON.stringify(config), ENV).length === 0).toBe(isFine);
  expect(validate(config), JSON.stringify(validate.errors)).toBe(isFine);
});
