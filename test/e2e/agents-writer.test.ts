import { ONE_WRITER } from '../agents/stories-writer.ts';
import { tell } from '../agents/tell.ts';

tell(ONE_WRITER, 'scripted', { msMax: 150_000 });
