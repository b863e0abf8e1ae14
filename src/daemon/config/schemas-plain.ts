import { config } from 'zod';

// Before any schema is made. Zod would compile a function for each object that it checks: at a start that is most of
// what reading the config costs, and a daemon checks a few small objects a second.
config({ jitless: true });
