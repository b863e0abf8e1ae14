import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plainTypes } from '../../scripts/plain-types.ts';
import { ROUTES } from '../../src/api/routes.ts';
import { ROOT } from './tree.ts';

const VIEWS: readonly (readonly [file: string, name: string])[] = [
  ['shapes', 'SessionView'],
  ['shapes', 'EventView'],
  ['shapes', 'ScreenView'],
  ['shapes', 'PromptView'],
  ['output-shape', 'OutputPage'],
  ['contract-approvals', 'ApprovalView'],
  ['contract-approvals', 'CallerProof'],
];

const SAME = 'type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;';

test('the plain types of the SDK equal those of the contract', { timeout: 120_000 }, () => {
  const folder = join(ROOT, '.cache/plain-types');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // As source files, because declaration files are not checked (skipLibCheck).
  for (const [name, text] of plainTypes())
    writeFileSync(
      join(folder, name.replace('.d.ts', '.ts')),
      text.replaceAll("'./routes.ts'", "'../../src/api/routes.ts'"),
    );
  const same = Object.keys(ROUTES).flatMap((name) =>
    ['CallInput', 'CallOutput'].map(
      (type) => `const _: Same<own.${type}<'${name}'>, contract.${type}<'${name}'>> = true;`,
    ),
  );
  const views = VIEWS.map(([file, name]) => {
    const [plain, ours] = [`import('./${file}.ts').${name}`, `import('../../src/api/${file}.ts').${name}`];
    return `const _: Same<${plain}, ${ours}> = true;`;
  });
  const imports = [
    "import type * as own from './contract.ts';",
    "import type * as contract from '../../src/api/contract.ts';",
  ];
  const checks = [...same, ...views].map((line) => `{ ${line} }`);
  writeFileSync(join(folder, 'check.ts'), [...imports, SAME, ...checks].join('\n'));
  const compilerOptions = { noUnusedLocals: false, rootDir: '../..' };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', compilerOptions, include: ['check.ts'] }),
  );
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', folder], { encoding: 'utf8' });
  expect(stdout).toBe('');
});
