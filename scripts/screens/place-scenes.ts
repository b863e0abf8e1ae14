// What the pictures of usage, boot and tree need besides the sessions of the morning.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { CallOutput } from '../../src/api/contract.ts';
import { keep } from '../../test/boot-files.ts';
import { shell, storyOf } from '../../test/e2e/spawning.ts';
import { eventually } from '../../test/eventually.ts';
import type { Morning } from './page-world.ts';

const MINUTE_MS = 60_000;

/** Conversations that a restart interrupted, and others. */
export async function playBoot({ world, shop }: Morning): Promise<void> {
  const where = { config: join(world.env.HOME ?? '', '.outlast-scripted'), cwd: shop };
  keep('asked', { ...where, agoMs: 2 * MINUTE_MS });
  keep('called', { ...where, agoMs: 4 * MINUTE_MS });
  keep('torn', { ...where, agoMs: 5 * MINUTE_MS });
  for (let i = 0; i < 7; i += 1) keep('done', { ...where, agoMs: (6 + i) * MINUTE_MS });
  keep('thanks', { ...where, agoMs: 3 * MINUTE_MS });
  keep('failed', { ...where, agoMs: 8 * MINUTE_MS });
  keep('question', { ...where, agoMs: 9 * MINUTE_MS });
  keep('limited', { ...where, agoMs: 11 * MINUTE_MS });
  const ran = await world.cli(['boot']);
  if (ran.status !== 0) throw new Error(`outlast boot: ${ran.stderr}`);
}

/** An agent that started others, one of which started another. */
export async function playTree({ world, home, shop }: Morning): Promise<void> {
  const spawns = (name: string, steps: readonly object[]): object => {
    const story = Buffer.from(`Work on ${name}. ${storyOf(steps)}`).toString('base64');
    return shell(`echo ${story} | base64 -d | outlast spawn --agent scripted --name ${name} -`);
  };
  const steps = [
    spawns('api-tests', [{ text: 'All 84 tests of the API pass; two were flaky and have a deadline now.' }]),
    spawns('migration', [spawns('backfill', [shell('sleep 1000')]), shell('sleep 1000')]),
    spawns('docs', [shell('sleep 1000')]),
    shell('sleep 1000'),
  ];
  const words = ['start', '--agent', 'scripted', '--name', 'release-3', '--spawn-depth', '2'];
  const budget = ['--spawn-usd', '20'];
  const ran = await world.cli([...words, ...budget, `Prepare release 3. ${storyOf(steps)}`], {
    ...{ cwd: shop, env: { HOME: home, USER: 'ana' } },
  });
  if (ran.status !== 0) throw new Error(`outlast start: ${ran.stderr}`);
  const phase = async (name: string): Promise<string | null> =>
    world.client.show(name).then(
      ({ session }) => session.phase,
      () => null,
    );
  for (const [name, is] of [
    ['api-tests', 'ended'],
    ['backfill', 'working'],
    ['docs', 'working'],
  ] as const)
    await eventually(async () => (await phase(name)) === is, { what: `${name} ${is}`, msMax: 60_000 });
}

/** A month of usage cannot be made in a minute: the page gets these numbers instead of those of its sessions. */
export async function answerUsage(page: Page): Promise<void> {
  const told = monthOf(30);
  const body = (value: unknown) => ({ contentType: 'application/json', body: JSON.stringify(value) });
  await page.route('**/usage?*', (route) => route.fulfill(body(told)));
  await page.route('**/limits', (route) => route.fulfill(body(LIMITS)));
}

type Told = CallOutput<'usage.days'>;
const MODELS = ['claude-opus-4-7', 'gpt-5.4-codex', 'claude-sonnet-4-6', 'qwen3-coder', null] as const;
const COSTS = [9.4, 4.1, 2.6, 0.4, null] as const;
const NAMES = [
  ...['checkout-rounding', 'payments', 'old-prices', 'nightly-import', 'release', 'readme', 'translate-settings'],
  ...['search-index', 'api-tests', 'migration', 'docs', 'backfill'],
];

function monthOf(count: number): Told {
  const days = Array.from({ length: count }, (_, i) => dayOf(i)).filter(({ turns }) => turns > 0);
  const models = MODELS.map((model, m) => ({ model, ...sumOf(days.flatMap((day) => day.models[m] ?? [])) }));
  const total = sumOf(models);
  const shares = NAMES.map((_, i) => 0.62 ** i);
  const whole = shares.reduce((sum, share) => sum + share, 0);
  const sessions = NAMES.map((name, i) => {
    const part = (shares[i] ?? 0) / whole;
    const usd = name === 'backfill' ? null : (total.usd ?? 0) * part;
    return {
      session: `01m7tkr75r4n6m9y${1000 + i}`,
      name,
      turns: Math.ceil(total.turns * part),
      ...{ tokens: Math.round(total.tokens * part), usd },
    };
  });
  return { timeZone: 'Europe/Berlin', total, days, models, sessions };
}

/** A day some days ago; nobody worked on the weekend. */
function dayOf(ago: number): Told['days'][number] {
  const date = new Date(Date.now() - ago * 86_400_000);
  const isFree = [0, 6].includes(date.getUTCDay());
  const wave = isFree ? (ago % 5 === 0 ? 0.15 : 0) : 0.55 + 0.45 * Math.abs(Math.sin(ago * 1.7));
  const models = MODELS.map((model, m) => {
    const part = wave * (0.6 + 0.4 * Math.abs(Math.cos(ago * (m + 1))));
    const cost = COSTS[m] ?? null;
    const tokens = Math.round(part * (900_000 - m * 150_000));
    return { model, turns: Math.round(part * (24 - 4 * m)), tokens, usd: cost === null ? null : cost * part };
  });
  return { day: date.toISOString().slice(0, 10), ...sumOf(models), models, sessions: [] };
}

function sumOf(rows: readonly Told['total'][]): Told['total'] {
  return {
    turns: rows.reduce((sum, { turns }) => sum + turns, 0),
    tokens: rows.reduce((sum, { tokens }) => sum + tokens, 0),
    usd: rows.every(({ usd }) => usd === null) ? null : rows.reduce((sum, { usd }) => sum + (usd ?? 0), 0),
  };
}

const LIMITS: CallOutput<'limit.list'> = {
  limits: [
    limitOf('claude', '~/.claude', 'five_hour', 86, 95),
    limitOf('claude', '~/.claude', 'seven_day', 41, 3_900),
    limitOf('codex', '~/.codex', 'five_hour', 22, 140),
  ],
};

function limitOf(agent: string, home: string, window: string, usedPercent: number, resetMinutes: number) {
  const nowMs = Date.now();
  const when = { resetsAtMs: nowMs + resetMinutes * MINUTE_MS, seenAtMs: nowMs - 4 * MINUTE_MS };
  return { agent, account: home, home, window, usedPercent, ...when, session: '01m7tkr75r4n6m9y1000', name: null };
}
