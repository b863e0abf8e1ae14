import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { apiDocs, openApi } from '../../scripts/api-docs.ts';
import { MODELS } from '../../src/agent/claude/models.ts';
import { ROUTES } from '../../src/api/routes.ts';
import { CODES } from '../../src/base/errors.ts';
import { parseWords } from '../../src/cli/base/parse.ts';
import { findCommand, TABLE } from '../../src/cli/table.ts';
import { keyNames } from '../../src/terminal/keys.ts';
import { filesBelow, ROOT, type SourceFile } from './tree.ts';

function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function pages(): SourceFile[] {
  const top = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
  const below = ['docs', 'skills', 'commands', 'src', 'test', 'bench', 'scripts'].filter((folder) =>
    existsSync(join(ROOT, folder)),
  );
  return [...top.map((path) => ({ path, text: textOf(path) })), ...below.flatMap((each) => filesBelow(each, '.md'))];
}

/** The third-level headings, each with the text below it. */
function sections(text: string): [heading: string, body: string][] {
  return text
    .split(/^### /m)
    .slice(1)
    .map((part) => [part.split('\n')[0] ?? '', part.split('\n').slice(1).join('\n').split(/^## /m)[0] ?? '']);
}

test('docs/api.md and docs/openapi.json are what scripts/api-docs.ts writes', () => {
  expect(textOf('docs/api.md')).toBe(apiDocs());
  expect(textOf('docs/openapi.json')).toBe(openApi());
});

test('openapi.json has every operation, and no broken reference', () => {
  const spec = JSON.parse(openApi());
  const methods: { operationId: string }[] = Object.values<object>(spec.paths).flatMap((path) => Object.values(path));
  expect(methods.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(ROUTES).sort());
  const references = [...openApi().matchAll(/"\$ref": "#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name ?? '');
  expect([...new Set(references)].sort()).toEqual(Object.keys(spec.components.schemas).sort());
});

test('docs/errors.md has a heading for each code, with its exit status and HTTP status', () => {
  const documented = sections(textOf('docs/errors.md')).map(([code, body]) => {
    const line = body.split('\n').find((each) => each.startsWith('Exit ')) ?? '';
    return `${code}: ${line}`;
  });
  const codes = Object.entries(CODES).map(
    ([code, row]) => `${code}: Exit ${row.exit} · HTTP ${row.http} · ${row.retryable ? '' : 'not '}retryable`,
  );
  expect(documented.sort()).toEqual(codes.sort());
});

test('docs/events.md has a heading for each event, with its fields', () => {
  const documented = sections(textOf('docs/events.md')).map(([type, body]) => {
    const fields = [...body.matchAll(/^- `(\w+)`/gm)].map(([, field]) => field);
    return `${type}: ${fields.join(' ')}`;
  });
  expect(documented.toSorted()).toEqual(eventsInSource().toSorted());
});

function eventsInSource(): string[] {
  const families = textOf('src/core/event-body.ts').matchAll(/export type (?!Event)\w+Body =\s([\s\S]*?);\n\n/g);
  const bodies = `${[...families].map(([, body]) => body).join('\n  | ')}\n  | ApprovalBody\n  | OwnershipBody`;
  const facts = /export type Fact =\n([\s\S]*);\n$/.exec(textOf('src/core/fact.ts'))?.[1] ?? '';
  const control = /export interface Control (\{[\s\S]*?\n\})/.exec(textOf('src/core/session.ts'))?.[1] ?? '';
  const approvals = /export type ApprovalBody =\n([\s\S]*?);\n\n/.exec(textOf('src/core/approval.ts'))?.[1] ?? '';
  const inTurnUpdates =
    /export type InTurnUpdateBody =\n([\s\S]*?);\n\n/.exec(textOf('src/core/in-turn-update.ts'))?.[1] ?? '';
  const ownership = /export type OwnershipBody =\n([\s\S]*?);\n\n/.exec(textOf('src/core/ownership.ts'))?.[1] ?? '';
  const rule = /export interface AddedRule (\{[\s\S]*?\n\})/.exec(textOf('src/core/approval.ts'))?.[1] ?? '';
  const question = /export interface Question (\{[\s\S]*?\n\})/.exec(textOf('src/core/approval.ts'))?.[1] ?? '';
  const source = bodies
    .replace(/^ {2}\| Fact$/m, facts)
    .replace(/^ {2}\| ApprovalBody$/m, approvals)
    .replace(/^ {2}\| OwnershipBody$/m, ownership)
    .replace(/^ {2}\| InTurnUpdateBody$/m, inTurnUpdates)
    .replace('& Control', control)
    .replace('& Question', question)
    .replace('& AddedRule', rule);
  return source.split(/^ {2}\| /m).flatMap((variant) => {
    const type = /readonly type: '([^']+)'/.exec(variant)?.[1];
    const fields = [...variant.matchAll(/readonly (\w+)\??:/g)].map(([, field]) => field).filter((f) => f !== 'type');
    return type === undefined ? [] : [`${type}: ${fields.join(' ')}`];
  });
}

test('the guide names every key', () => {
  const guide = textOf('docs/guides/wait.md');
  expect(keyNames().filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
});

test('the guide says what each short name of a model means', () => {
  const guide = textOf('docs/guides/agents.md');
  const missing = MODELS.filter(({ name, id }) => !guide.includes(`| \`${name}\` | \`${id}\` |`));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test('every script of package.json is in CONTRIBUTING.md', () => {
  const page = textOf('CONTRIBUTING.md');
  const scripts = Object.keys(JSON.parse(textOf('package.json')).scripts);
  const named = (name: string): boolean => page.includes(`npm run ${name}`) || page.includes(`npm ${name}`);
  expect(scripts.filter((name) => !named(name))).toEqual([]);
});

test('no link inside the repository is broken', () => {
  const broken = pages().flatMap(({ path, text }) =>
    linksOf(text)
      .filter((link) => !/^(https?|mailto):/.test(link))
      .filter((link) => !leadsSomewhere(path, link))
      .map((link) => `${path}: ${link}`),
  );
  expect(broken).toEqual([]);
});

function linksOf(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, 'code');
  return [...prose.matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? '');
}

function leadsSomewhere(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? from : normalize(join(dirname(from), path));
  if (!existsSync(join(ROOT, target))) return false;
  return anchor === undefined || anchorsOf(textOf(target)).includes(anchor);
}

/** Anchors as GitHub makes them: lower case, no punctuation, dashes for spaces. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

test('the CLI accepts every command line in the docs', async () => {
  const lines = pages().flatMap(({ path, text }) => commandLines(text).map((line) => ({ path, line })));
  const wrong = await Promise.all(lines.map(async ({ path, line }) => faultOf(line, `${path}: outlast ${line}`)));
  expect(lines.length).toBeGreaterThan(40);
  expect(wrong.flat()).toEqual([]);
});

test('every command that the docs mention exists', () => {
  const hints = Object.values(CODES).map(({ hint }) => hint);
  const words = [...pages().map(({ text }) => text), ...hints].flatMap((text) =>
    [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`outlast ([^`]+)`/g)].map(([, line]) => line ?? ''),
  );
  const groups = new Set(Object.keys(TABLE).map((name) => name.split(' ')[0]));
  const exists = (line: string): boolean => {
    const [first = '', second = '…'] = line.split(/\s+/);
    // `process poll|log` names two.
    const isOne = (verb: string): boolean => findCommand([first, verb]) !== null;
    return second.split(/\\?\|/).every(isOne) || (groups.has(first) && second === '…');
  };
  expect(words.filter((line) => !exists(line))).toEqual([]);
});

async function faultOf(line: string, label: string): Promise<string[]> {
  const found = findCommand(wordsOf(line));
  if (found === null) return [`${label}: no such command`];
  try {
    const command = await found.row.load();
    parseWords(command, found.rest);
    return [];
  } catch (error) {
    return [`${label}: ${error instanceof Error ? error.message : error}`];
  }
}

/** The arguments of `outlast` in the shell code blocks, each up to the end of the command. */
function commandLines(text: string): string[] {
  const blocks = [...text.matchAll(/^```(?:sh|bash|console)\n([\s\S]*?)^```/gm)].map(([, block]) => block ?? '');
  const starts = /(?:^|\$\(|\| |&& |\$ |; )outlast ((?:'[^']*'|"[^"]*"|[^'"|;&)#<>\n])*)/gm;
  return blocks.flatMap((block) => [...block.matchAll(starts)].map(([, line]) => (line ?? '').trim()));
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replaceAll(/['"]/g, ''));
}
