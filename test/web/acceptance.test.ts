import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// What the page has to show before it is done, and the tests that show it: the file, and the beginning of the name.

type Shown = readonly (readonly [file: string, name: string])[];

const [S, B, P, M] = ['security.test.ts', 'security-browser.test.ts', 'page.test.ts', 'page-many.test.ts'] as const;
const [LOOKS, REST] = ['page-looks.test.ts', 'page-rest.test.ts'] as const;

const ACCEPTANCE: Readonly<Record<string, Shown>> = {
  'only loopback is listened on': [[S, 'S1: it listens on loopback only']],
  'a link shows the list, and its code is gone from the address': [[B, 'S4: after the sign-in neither the address']],
  'a used link is spent, and the page says how to get one': [
    [S, 'S4: a code has 128 bits, and works once'],
    [P, 'a browser without a key sees a command'],
  ],
  'no cookie opens anything': [[S, 'S5: no cookie is set, and none opens anything']],
  'a wrong Host is refused before routing': [[S, 'S2: the Host must be one that is served']],
  'a device that may read changes nothing': [
    [S, 'S8: every operation needs its grant'],
    [P, 'a browser that may only read is offered nothing else'],
  ],
  'a revoked device is out': [
    [S, 'S12: a revoked device is out within a second'],
    ['attack-races.test.ts', 'S12: a request that was begun before its device was revoked'],
    ['attack-races.test.ts', 'S12: a call that waits ends when its device is revoked'],
    ['attack-races.test.ts', 'S12: what a revoked device has got before opens nothing'],
  ],
  'a session gets no link, and changes nothing': [
    [S, 'S10: from inside a session nothing is changed'],
    [B, 'S10: a browser inside a session cannot be signed in'],
    ['attack-races.test.ts', 'S10: a process of a session that is gone before it is looked up'],
  ],
  'no report of the security policy on any screen': [
    [B, 'S14: the real page opens without a violation'],
    [LOOKS, 'at $width px, $theme'],
    ['hostile-agent.test.ts', 'S15: prompts, replies, calls and their errors'],
  ],
  'no secret at rest or in a log': [[S, 'S11: at rest there are only public keys']],
  'of 1,000 sessions at most 60 rows are drawn': [[M, 'of 1,000 sessions only those in view are drawn']],
  'a question brings its session to the top, and `a` leads there': [[P, 'a question brings its session to the top']],
  'without a session there is a command': [[P, 'without a session it says what to do']],
  'the filter shows what matches': [
    [P, 'the filter shows what matches'],
    [M, 'a filter finds one of 1,000'],
  ],
  'nine calls are one line, and a failure is seen in it': [[P, 'nine calls are one line with counts']],
  'a draft survives, and an input method sends nothing': [
    [P, 'a draft survives a reload, and the Enter of an input method'],
    ['../../src/page/model/enter.test.ts', ''],
  ],
  'a prompt for a busy agent is queued once, and taken back once': [[P, 'a prompt for a busy agent is queued once']],
  'a conversation of 2,000 turns opens': [[M, 'of 2,000 turns the last are shown first']],
  'a diff is that of the approval': [
    [P, 'a question is answered only after it was seen, for its diff'],
    ['../../src/page/model/diff.test.ts', 'a changed line that looks like the head of a file hides nothing'],
  ],
  'an answer at the command line is told, and leaves': [[P, 'a question that is answered elsewhere says by whom']],
  'what counts as an answer': [
    ['answers.test.ts', 'S17: a key that is held answers one question'],
    ['answers.test.ts', 'S17: a double click answers one question once'],
    ['answers.test.ts', 'S17: a question that moves under the finger'],
    ['answers.test.ts', 'S17: what is easily overlooked has to be held'],
    ['answers.test.ts', 'S17: a finger that holds Allow while somebody else answers'],
    ['answers.test.ts', 'S17: a page that comes back into sight'],
  ],
  'no serious finding of axe, and nothing scrolls sideways': [[LOOKS, 'at $width px, $theme']],
  'with the keyboard alone': [[P, 'with the keyboard alone a prompt, a yes and a stop are possible']],
  'the first view has at most 60 kB': [[P, 'the first view of another browser is at most 60 kB']],
  'eight tabs at once': [[REST, 'in eight tabs at once']],
  'a child is under its owner': [[REST, 'a session that another one started is under it']],
  'a prompt in doubt is asked about, not resent': [[REST, 'of a prompt that may not have arrived']],
  'without time left a question is denied, and says so': [[REST, 'a question whose time is over']],
  'the composer is above the keyboard': [[REST, 'the box to write in stays above the keyboard']],
  'a screen is that of the command line, row by row': [['terminal.test.ts', 'vim in %s looks on the page']],
  'who types has control': [
    ['terminal.test.ts', 'who types has control until the tab is closed'],
    ['terminal.test.ts', 'control goes back when the server of the page is killed'],
  ],
  'no escape has an effect': [['terminal.test.ts', 'S16: no escape in %s reaches']],
  'a lag is a line with its bytes': [['terminal.test.ts', 'a flood is skipped with a line']],
  'a fault shows its evidence': [['page-record.test.ts', 'a fault has its evidence']],
  'a rule is shown before it is kept': [['page-daily.test.ts', 'a rule that is kept is shown exactly before']],
  'a terminal can be touched and read out': [[REST, 'the keys of a terminal are large enough to touch']],
  'real agents from the page': [
    ['../e2e-real/page.test.ts', '%s at the page: it is started, read as it writes, asked about'],
  ],
  'the page survives what is below it': [
    ['survive.test.ts', 'the daemon is killed, and comes back'],
    ['survive.test.ts', 'the server of the page is killed'],
    ['survive.test.ts', 'a connection that died in the sleep'],
    ['survive.test.ts', 'without a network nothing that was written is lost'],
    ['survive.test.ts', 'a session that is removed while it is open'],
    ['survive.test.ts', 'a restored backup is noticed'],
    ['live.test.ts', 'cut connections, a killed server and a killed daemon'],
  ],
};

test.each(Object.entries(ACCEPTANCE))('%s: its tests are there', (_, shown) => {
  expect(shown.length).toBeGreaterThan(0);
  for (const [file, name] of shown) {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8');
    expect([file, name, text.includes(name === '' ? 'test(' : `'${name}`)]).toEqual([file, name, true]);
  }
});
