import * as z from 'zod';
import { later } from './later.ts';

const colour = z.union([z.number().int(), z.string()]).optional();
const is = z.boolean().optional();

/** Consecutive characters that look the same. */
export const screenRun = z
  .object({
    text: z.string(),
    fg: colour.describe('0-255 of the palette, or #rrggbb; missing: the default.'),
    bg: colour,
    bold: is,
    dim: is,
    italic: is,
    underline: is,
    inverse: is,
    invisible: is,
    strike: is,
  })
  .describe('Consecutive characters that look the same.');

/** How a screen looks: its rows, and those above it. */
export const styledScreen = later(() =>
  z.object({
    rows: z.array(z.array(screenRun)).describe('The rows of the screen, as runs.'),
    above: z.array(z.array(screenRun)).describe('The wanted rows of the history, from top to bottom.'),
    history: z.number().int().describe('How many rows above the screen the terminal still has.'),
    cursorHidden: z.boolean(),
    applicationCursor: z.boolean().describe('The program wants arrow keys as an application.'),
    applicationKeypad: z.boolean(),
  }),
);

/** How a screen looks. */
export type StyledView = z.infer<ReturnType<typeof styledScreen>>;
/** Consecutive characters of a row that look the same. */
export type RunView = StyledView['rows'][number][number];
