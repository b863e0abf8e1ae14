import { BOOT_MOMENTS } from '../agents/stories-boot.ts';
import { tell } from '../agents/tell.ts';

tell(BOOT_MOMENTS, 'scripted');
