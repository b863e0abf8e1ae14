import { tellRecovery } from '../agents/recovery-choice.ts';

tellRecovery('2.1.197');
