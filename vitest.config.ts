import { configDefaults, defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/slowest-first.ts';

const REAL_AGENTS = 'test/e2e-real/**/*.test.ts';

export default defineConfig({
  test: {
    // Real processes, sockets and terminals. They wait more than they work, so five files at a time keep two cores
    // busy; a campaign works more than it waits.
    pool: 'forks',
    maxWorkers: process.env.OUTLAST_TEST_CAMPAIGN === undefined ? 5 : 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { sequencer: SlowestFirst },
    reporters: ['default', ['json', { outputFile: '.cache/test-report.json' }]],
    projects: [
      {
        extends: true,
        test: {
          name: 'own',
          // A worker keeps our modules for the next file: loading them for each took a tenth of all time.
          isolate: false,
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
          // An agent takes a core and 230 MB: two stories of a file at a time.
          maxConcurrency: 2,
          testTimeout: 240_000,
        },
      },
    ],
  },
});
