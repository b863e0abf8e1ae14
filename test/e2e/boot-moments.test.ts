import { BOOT_MOMENTS } from '../agents/stories-boot.ts';
import { BOOT_LIVE } from '../agents/stories-boot-live.ts';
import { tell } from '../agents/tell.ts';

// Every other moment; the newest real agent is told some of the others.
tell(BOOT_MOMENTS, 'scripted', { quick: Object.keys(BOOT_MOMENTS).filter((_, i) => i % 2 === 0) });
tell(BOOT_LIVE, 'scripted');
