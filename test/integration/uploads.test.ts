import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CONTRACT } from '../../src/api/contract.ts';
import { storePiece } from '../../src/daemon/start/uploads.ts';

const root = mkdtempSync(join(tmpdir(), 'ol-uploads-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const words = (text: string) => ({ name: 'a.txt', bytes: text.length, offset: 0, content: Buffer.from(text) });

test('pieces make one file for this user only, and a repeated piece changes nothing', () => {
  const piece = { ...words('hello world'), key: 'one' };
  const first = { ...piece, content: Buffer.from('hello ') };
  const last = { ...piece, offset: 6, content: Buffer.from('world') };
  for (let time = 0; time < 2; time++) expect(storePiece(root, 's1', first)).toEqual({ receivedBytes: 6, path: null });
  const stored = storePiece(root, 's1', last);
  expect(storePiece(root, 's1', last)).toEqual(stored);
  expect(storePiece(root, 's1', first)).toEqual(stored);
  const path = join(root, 'sessions/s1/files/one/a.txt');
  expect(stored).toEqual({ receivedBytes: 11, path });
  expect(readFileSync(path, 'utf8')).toBe('hello world');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(root, 'sessions/s1/files'))).toEqual(['one']);
});

test('a piece that does not fit is refused with what to do, and offset 0 begins again', () => {
  const piece = { ...words('hello'), key: 'two', content: Buffer.from('he') };
  expect(() => storePiece(root, 's2', { ...piece, offset: 3 })).toThrow('0 bytes of the file are here');
  expect(() => storePiece(root, 's2', { ...piece, offset: 4 })).toThrow('ends at byte 6, and the file has 5');
  storePiece(root, 's2', piece);
  expect(() => storePiece(root, 's2', { ...piece, offset: 3 })).toThrow('2 bytes of the file are here');
  const { path } = storePiece(root, 's2', { ...words('HELLO'), key: 'two' });
  expect(readFileSync(path ?? '', 'utf8')).toBe('HELLO');
  expect(() => storePiece(root, 's2', { ...words('other file'), key: 'two' })).toThrow('choose a new key');
});

test('the files of a session have a limit together', () => {
  const large = { ...words('x'), bytes: 20 * 1024 * 1024, content: Buffer.alloc(20 * 1024 * 1024) };
  for (let i = 0; i < 25; i++) storePiece(root, 's3', { ...large, key: `large-${i}` });
  expect(() => storePiece(root, 's3', { ...words('x'), key: 'more' })).toThrow('at most 500 MB together');
  rmSync(join(root, 'sessions/s3'), { recursive: true });
});

test('a file stays in its folder under a name that needs no quotes', () => {
  for (const [name, safe] of [
    ['.bashrc', 'bashrc'],
    ['my photo (1).png', 'my-photo-1-.png'],
    ['\u202egnp.exe', 'gnp.exe'],
    ['Übersicht.pdf', 'Übersicht.pdf'],
    ['$(id);`x`', 'id-x-'],
    [`${'ü'.repeat(200)}.png`, `${'ü'.repeat(56)}.png`],
    ['---', 'file'],
  ] as const)
    expect(basename(storePiece(root, 's4', { ...words('x'), name, key: `k${safe.length}${safe[0]}` }).path ?? '')).toBe(
      safe,
    );
  const { input } = CONTRACT['session.upload'];
  const given = { session: 's', key: 'k', name: 'a.txt', bytes: 1, base64: 'eA==' };
  expect(input.safeParse(given).success).toBe(true);
  for (const wrong of [
    { name: '../a' },
    { name: '/etc/passwd' },
    { name: '..' },
    { name: 'a\\b' },
    { name: 'a\0' },
    { name: 'a\nb' },
    { name: '' },
    { key: '../../x' },
    { key: '' },
    { bytes: 20 * 1024 * 1024 + 1 },
    { offset: -1 },
  ])
    expect(input.safeParse({ ...given, ...wrong }).success, JSON.stringify(wrong)).toBe(false);
});
