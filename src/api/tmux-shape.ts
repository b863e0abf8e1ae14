import * as z from 'zod';
import { later } from './later.ts';

// Shapes for tmux, ours and foreign.

/** A pane of any tmux server. */
export const tmuxTarget = later(() => ({
  socket: z.string().optional().describe('Path of the socket (-S).'),
  server: z.string().optional().describe('Name of the server (-L).'),
  target: z.string().min(1).describe('Session, window or pane, as tmux writes it; matched exactly.'),
}));

/** A session of any tmux server. */
export const tmuxSession = later(() =>
  z.object({
    socket: z.string(),
    name: z.string(),
    attached: z.boolean(),
    startedAtMs: z.number(),
    ours: z.boolean(),
  }),
);
