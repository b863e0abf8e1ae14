import { tellGate } from '../agents/gate-choice.ts';

tellGate('2.1.197');
