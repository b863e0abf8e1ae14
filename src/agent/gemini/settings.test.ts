import { expect, test } from 'vitest';
import { retentionRefusals } from './settings.ts';

const ENV = { HOME: '/home/ann' };
const OFF = '{ "general": { "sessionRetention": { "enabled": false } } }';

test('it is refused while its retention is on, which is the default, and the refusal names file and cure', () => {
  for (const text of [null, '', 'no JSON', '{}', OFF.replace('false', 'true'), '{"general":{"sessionRetention":{}}}']) {
    const [why] = retentionRefusals(ENV, () => text);
    expect(why).toContain('/home/ann/.gemini/settings.json');
    expect(why).toContain('"sessionRetention": { "enabled": false }');
  }
});

test('it is driven when retention is off in the settings of the user, also with comments', () => {
  const paths: string[] = [];
  const read = (path: string): string => {
    paths.push(path);
    return `// of ann\n{ /* "a" */ "url": "http://x//y",${OFF.slice(1)}`;
  };
  expect(retentionRefusals(ENV, read)).toEqual([]);
  expect(retentionRefusals({ ...ENV, GEMINI_CLI_HOME: '/other' }, read)).toEqual([]);
  expect(paths).toEqual(['/home/ann/.gemini/settings.json', '/other/.gemini/settings.json']);
});
