import { config } from 'zod';

// Must run before any schema is created. Zod would compile a function for each object schema: at a start that is most
// of the cost of reading the config, and a daemon checks only a few small objects a second.
config({ jitless: true });
