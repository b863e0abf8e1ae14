import { expect, test } from 'vitest';
import { sources } from './tree.ts';

test('every exported function and class has a comment', () => {
  const silent = sources().flatMap(({ path, text }) => {
    const lines = text.split('\n');
    return lines.flatMap((line, i) => {
      if (!/^export (?:async )?(?:function|class|abstract class)\b/.test(line)) return [];
      const above = lines[i - 1]?.trim() ?? '';
      return above.endsWith('*/') || above.startsWith('//') ? [] : [`${path}:${i + 1} ${line.slice(0, 60)}`];
    });
  });
  expect(silent).toEqual([]);
});
