import { join } from 'node:path';
import { goose } from '../../agent/goose/goose.ts';
import type { GoldenSet } from '../agent-suite.ts';
import { replayAcp } from './acp.ts';

/** The messages of Goose. */
export const GOOSE_CASES: GoldenSet = {
  agent: 'goose',
  folder: join(import.meta.dirname, '../../agent/goose/cases'),
  kinds: {
    server: { file: 'messages.ndjson', proves: ['server', 'actions'], read: (text) => replayAcp(goose, text) },
  },
};
