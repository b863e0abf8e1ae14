import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PICTURES, PROCESSES } from '../../scripts/pictures.ts';
import { svgOf } from '../../scripts/screens/boxes.ts';
import { ROOT } from './tree.ts';

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

test.each(Object.keys(PICTURES))('%s is what scripts/pictures.ts draws', (path) => {
  const picture = PICTURES[path];
  expect(picture === undefined ? null : svgOf(picture)).toBe(textOf(path));
});

test('the picture of the processes has each that the glossary names', () => {
  const [, section = ''] = /^## What runs\n([\s\S]*?)^## /m.exec(textOf('docs/glossary.md')) ?? [];
  const shown = PROCESSES.boxes.flatMap(({ name, lines = [] }) => [name, ...lines]).join(' ');
  const processes = [
    ...section.matchAll(/^\| \*\*([^*]+)\*\* \| (?:The|What|A small|The small) (?:process|program|starts|MCP)/gm),
  ];
  const missing = processes.map(([, name = '']) => name).filter((name) => !shown.includes(name));
  expect(missing).toEqual([]);
  expect(processes.length).toBeGreaterThan(4);
});
