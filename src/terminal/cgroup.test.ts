import { expect, test } from 'vitest';
import { hasMemory, ownGroups, scopeArgv } from './cgroup.ts';

const V1 = '31 26 0:27 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory\n';
const CPU = '30 26 0:26 / /sys/fs/cgroup/cpu rw,relatime shared:9 - cgroup cgroup rw,cpu\n';
const V2 = '35 26 0:30 / /sys/fs/cgroup/unified rw,relatime shared:9 - cgroup2 cgroup2 rw\n';

test('our own group of each kind is found by its mount', () => {
  const cgroup = '4:memory:/a/b\n3:cpu,cpuacct:/c\n0::/d\n';
  expect(ownGroups(cgroup, CPU + V1 + V2)).toEqual({
    v1: '/sys/fs/cgroup/memory/a/b',
    v2: '/sys/fs/cgroup/unified/d',
  });
  expect(ownGroups('0::/user.slice/x.scope\n', V2.replace('/unified', ''))).toEqual({
    v1: null,
    v2: '/sys/fs/cgroup/user.slice/x.scope',
  });
});

test('the top of a hierarchy, a hierarchy that is not there, and no hierarchy at all', () => {
  expect(ownGroups('4:memory:/\n0::/\n', V1)).toEqual({ v1: '/sys/fs/cgroup/memory', v2: null });
  expect(ownGroups('3:cpu:/\n', CPU + V1)).toEqual({ v1: null, v2: null });
  expect(ownGroups('', '')).toEqual({ v1: null, v2: null });
});

test('in a container the mount shows a part of the hierarchy', () => {
  const part = V1.replace(' / ', ' /docker/a\\040b ');
  expect(ownGroups('4:memory:/docker/a b/x\n', part).v1).toBe('/sys/fs/cgroup/memory/x');
  expect(ownGroups('4:memory:/docker/a b\n', part).v1).toBe('/sys/fs/cgroup/memory');
  expect(ownGroups('4:memory:/elsewhere\n', part).v1).toBeNull();
});

test('memory is found as a whole word in a list', () => {
  expect(['cpu memory pids\n', 'memory', 'hugetlb\n', 'memoryless', ''].map(hasMemory)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('a scope has a name, a memory limit, and no swap to exceed it', () => {
  expect(scopeArgv('/usr/bin/systemd-run', { unit: 'outlast-x.1', bytes: 1024, isUser: true })).toEqual([
    '/usr/bin/systemd-run',
    '--user',
    '--scope',
    '--quiet',
    '--collect',
    '--unit=outlast-x.1',
    '--property=MemoryMax=1024',
    '--property=MemorySwapMax=0',
    '--',
  ]);
  expect(scopeArgv('systemd-run', { unit: 'u', bytes: 1, isUser: false })).not.toContain('--user');
});
