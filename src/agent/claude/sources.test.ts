import { expect, test } from 'vitest';
import { filesAmong, type RecordFiles } from '../seam/record.ts';
import { claude } from './claude.ts';

const ID = '0b8a5a30-0000-4000-8000-000000000001';

function filesOf(...paths: readonly string[]): RecordFiles {
  return {
    names: (folder) => [
      ...new Set(
        paths.flatMap((path) => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/', 1) : [])),
      ),
    ],
    isThere: (path) => paths.includes(path),
  };
}

function sources(files: RecordFiles, reported: string | null, env: Readonly<Record<string, string>> = { HOME: '/h' }) {
  const { main, sides, place } = claude.record.sources(files, () => env, { id: ID, reported });
  return { main: main === null ? null : filesAmong([main])[0], sides: filesAmong(sides()), place: place() };
}

test('a transcript is found by its id in any project, with those of its sub-agents', () => {
  const path = `/h/.claude/projects/-b/${ID}.jsonl`;
  const side = `/h/.claude/projects/-b/${ID}/subagents/agent-1.jsonl`;
  const files = filesOf(path, side, `${side}.tmp`, `/h/.claude/projects/-a/other.jsonl`);
  expect(sources(files, null)).toMatchObject({ main: path, sides: [side] });
});

test('the path that the agent reported is used while the file exists; else the id is searched for', () => {
  const [reported, moved] = [`/h/.claude/projects/-a/${ID}.jsonl`, `/h/.claude/projects/-b/${ID}.jsonl`];
  expect(sources(filesOf(reported, moved), reported).main).toBe(reported);
  expect(sources(filesOf(moved), reported)).toMatchObject({ main: moved, place: reported });
});

test('a missing transcript has a default path, in the home that the environment names', () => {
  const env = { HOME: '/h', CLAUDE_CONFIG_DIR: '/c/' };
  expect(sources(filesOf(), null, env)).toEqual({ main: null, sides: [], place: `/c/projects/*/${ID}.jsonl` });
  const unknown = claude.record.sources(filesOf(), () => env, { id: null, reported: null });
  expect([unknown.main, unknown.sides(), unknown.place()]).toEqual([null, [], null]);
});
