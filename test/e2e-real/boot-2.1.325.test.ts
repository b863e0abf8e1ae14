import { tellBoot } from '../agents/boot-choice.ts';

tellBoot('2.1.325');
