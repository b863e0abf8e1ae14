import { tellReal } from '../agents/real-choice.ts';

tellReal('2.1.325');
