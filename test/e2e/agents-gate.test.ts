import { GATE_ANSWERS, GATE_CROWD, GATE_WATCH } from '../agents/stories-gate.ts';
import { GATE_HURT } from '../agents/stories-gate-hurt.ts';
import { GATE_FOLDERS, GATE_PROOF } from '../agents/stories-gate-proof.ts';
import { tell } from '../agents/tell.ts';

// The longest first: several are told at once.
tell(GATE_PROOF, 'scripted');
tell(GATE_WATCH, 'scripted');
tell(GATE_HURT, 'scripted');
tell(GATE_ANSWERS, 'scripted');
tell(GATE_CROWD, 'scripted');
tell(GATE_FOLDERS, 'scripted');
