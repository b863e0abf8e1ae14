import { configDefaults, defineConfig } from 'vitest/config';

const REAL_AGENTS = 'test/e2e-real/**/*.test.ts';

export default defineConfig({
  test: {
    // Real processes, sockets and terminals: a file each in its own process. They wait more than they work, so three at a
    // time keep two cores busy.
    pool: 'forks',
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', ['json', { outputFile: '.cache/test-report.json' }]],
    projects: [
      {
        extends: true,
        test: {
          name: 'own',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, REAL_AGENTS],
        },
      },
      {
        extends: true,
        test: {
          name: 'real',
          include: [REAL_AGENTS],
          globalSetup: ['test/e2e-real/setup.ts'],
          // An agent takes a core and 230 MB: after all the others, and two files at a time.
          sequence: { groupOrder: 1 },
          maxWorkers: 2,
          testTimeout: 120_000,
        },
      },
    ],
  },
});
