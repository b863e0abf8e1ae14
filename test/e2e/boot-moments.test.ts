import { BOOT_MOMENTS } from '../agents/stories-boot.ts';
import { BOOT_LIVE } from '../agents/stories-boot-live.ts';
import { tell } from '../agents/tell.ts';

tell(BOOT_MOMENTS, 'scripted');
tell(BOOT_LIVE, 'scripted');
