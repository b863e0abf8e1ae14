import { GATE_ANSWERS, GATE_CROWD, GATE_WATCH } from '../agents/stories-gate.ts';
import { tell } from '../agents/tell.ts';

tell(GATE_ANSWERS, 'scripted');
tell(GATE_WATCH, 'scripted');
tell(GATE_CROWD, 'scripted');
