// Draws docs/screens/processes.svg and docs/screens/journal.svg: what runs on a machine, and how a request becomes work.
//   node scripts/bootstrap.mjs scripts/pictures.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Picture, svgOf } from './screens/boxes.ts';

/** What runs on a machine: each process, what it holds, and what is on disk. */
export const PROCESSES: Picture = {
  title: 'The processes of Outlast on one machine',
  size: [46, 31],
  boxes: [
    { at: [1, 1, 12, 8], is: 'frame', name: 'callers' },
    { at: [2, 3, 10, 2.5], is: 'process', name: 'outlast …', lines: ['a command, the SDK'] },
    { at: [2, 6, 10, 2.5], is: 'process', name: 'outlast mcp | acp', lines: ['agents, editors'] },
    {
      at: [18, 1.5, 13, 7],
      is: 'process',
      name: 'daemon',
      lines: [
        'one per state folder',
        'drives sessions',
        'answers on daemon.sock',
        'may die: runs go on without it,',
        'the next one adopts them',
      ],
    },
    { at: [36, 1.5, 9, 3], is: 'disk', name: 'journal', lines: ['outlast.db: every event'] },
    { at: [36, 5.5, 9, 3], is: 'process', name: 'starter', lines: ['systemd, launchd, cron'] },
    { at: [1, 12, 44, 18], is: 'frame', name: 'one run, found again by its folder' },
    {
      at: [17, 14, 15, 4],
      is: 'process',
      name: 'launcher',
      lines: ['claims the run, waits,', 'writes the exit status last'],
    },
    { at: [36, 14, 8, 4], is: 'disk', name: 'run folder', lines: ['claim, pid, output,', 'exit'] },
    {
      at: [17, 20.5, 15, 3],
      is: 'process',
      name: 'agent or command',
      lines: ['its permission server, and all it starts'],
    },
    { at: [2, 26, 12, 3], is: 'process', name: 'keeper', lines: ['pipe: holds its input open'] },
    { at: [16, 26, 13, 3], is: 'process', name: 'holder', lines: ['pty: holds and records it'] },
    { at: [31, 26, 13, 3], is: 'process', name: 'tmux and sink', lines: ['tmux: 16 panes per server'] },
    { at: [2, 14, 11, 4], is: 'process', name: 'viewer', lines: ['attach: a person', 'at the terminal'] },
  ],
  arrows: [
    {
      through: [
        [13, 5],
        [18, 5],
      ],
      text: 'socket',
    },
    {
      through: [
        [31, 3],
        [36, 3],
      ],
      text: 'writes',
    },
    {
      through: [
        [36, 7],
        [31, 7],
      ],
      text: 'starts',
    },
    {
      through: [
        [24.5, 8.5],
        [24.5, 14],
      ],
      text: 'starts, or finds',
    },
    {
      through: [
        [32, 16],
        [36, 16],
      ],
    },
    {
      through: [
        [24.5, 18],
        [24.5, 20.5],
      ],
      text: 'runs',
    },
    {
      through: [
        [22.5, 26],
        [22.5, 23.5],
      ],
    },
    {
      through: [
        [8, 26],
        [8, 22],
        [17, 22],
      ],
    },
    {
      through: [
        [37.5, 26],
        [37.5, 22],
        [32, 22],
      ],
    },
    {
      through: [
        [7.5, 18],
        [7.5, 20.8],
        [17, 20.8],
      ],
      text: 'shows, types',
    },
  ],
};

/** How a request becomes work, and how everybody learns of it. */
export const JOURNAL: Picture = {
  title: 'From a request to its effects: the journal is in the middle',
  size: [46, 23],
  boxes: [
    { at: [1, 2, 10, 3], is: 'process', name: 'a caller', lines: ['start, prompt, approve'] },
    { at: [1, 7, 10, 3], is: 'process', name: 'a run reports', lines: ['hooks, streams, exit'] },
    { at: [14, 4, 9, 4], is: 'step', name: 'admit', lines: ['events, or a refusal', 'with a reason'] },
    {
      at: [26, 2, 9, 8],
      is: 'disk',
      name: 'journal',
      lines: ['events, in one order,', 'never changed;', 'on disk before', 'anybody acts'],
    },
    { at: [37, 4, 8, 4], is: 'step', name: 'fold', lines: ['the state', 'of a session'] },
    { at: [37, 14, 8, 4], is: 'step', name: 'next', lines: ['what to do now'] },
    { at: [22, 14, 11, 4], is: 'step', name: 'intent, then effect', lines: ['open, type, end;', 'then look again'] },
    { at: [3, 14, 15, 4], is: 'process', name: 'the run', lines: ['terminal, agent,', 'its own record'] },
    {
      at: [14, 20, 31, 2.4],
      is: 'frame',
      name: 'readers, each with a cursor: waits · logs · notices · mirror · search',
    },
  ],
  arrows: [
    {
      through: [
        [11, 3.5],
        [14, 5],
      ],
    },
    {
      through: [
        [11, 8.5],
        [14, 7],
      ],
    },
    {
      through: [
        [23, 6],
        [26, 6],
      ],
    },
    {
      through: [
        [35, 6],
        [37, 6],
      ],
    },
    {
      through: [
        [41, 8],
        [41, 14],
      ],
    },
    {
      through: [
        [37, 16],
        [33, 16],
      ],
    },
    {
      through: [
        [22, 16],
        [18, 16],
      ],
    },
    {
      through: [
        [6, 14],
        [6, 10],
      ],
    },
    {
      through: [
        [28, 14],
        [28, 10],
      ],
      text: 'intent first',
    },
    {
      through: [
        [34, 10],
        [34, 20],
      ],
    },
  ],
};

/** The pictures, by their files. */
export const PICTURES: Readonly<Record<string, Picture>> = {
  'docs/screens/processes.svg': PROCESSES,
  'docs/screens/journal.svg': JOURNAL,
};

if (import.meta.main)
  for (const [path, picture] of Object.entries(PICTURES))
    writeFileSync(join(import.meta.dirname, '..', path), svgOf(picture));
