// The page over a slow line on a slow phone, and in eight tabs at once, from a real server.
import { PageWorld } from '../test/web/page-world.ts';
import { ms, percentile, report, share } from './measure.ts';
import { beAPhone, VITALS, vitalsOf } from './web-watch.ts';

const TIMES = 10;
const TABS = 8;
const SESSIONS = 5;

/** How soon a phone shows the page, and how soon each of many tabs does. */
export async function phoneAndTabs(): Promise<void> {
  await using world = await PageWorld.open();
  for (let i = 0; i < SESSIONS; i += 1) await world.is(await world.start(`row-${i}`, [{ text: 'hello' }]), 'idle');
  const context = world.page.context();
  await world.page.close();
  await phone(world, context);
  const loads: number[] = [];
  for (let i = 0; i < TABS; i += 1) {
    const page = await context.newPage();
    await page.goto(world.web.origin);
    loads.push(await firstRow(page));
  }
  const slowest = Math.max(...loads);
  report(`the page in ${TABS} tabs: rows in the slowest`, ms(slowest), '< 1000 ms', slowest < 1_000);
}

type Context = ReturnType<PageWorld['page']['context']>;

async function phone(world: PageWorld, context: Context): Promise<void> {
  const [fcp, lcp, cls, inp, sizes]: number[][] = [[], [], [], [], []];
  for (let i = 0; i < share(TIMES); i += 1) {
    const page = await context.newPage();
    await page.addInitScript(VITALS);
    await beAPhone(page);
    await page.goto(world.web.origin);
    await page.locator('.row').first().waitFor();
    sizes?.push((await page.evaluate(SIZE)) as number);
    const first = await vitalsOf(page);
    await use(page);
    const used = await vitalsOf(page);
    fcp?.push(first.fcp);
    lcp?.push(first.lcp);
    cls?.push(used.cls);
    inp?.push(used.inp);
    await page.close();
  }
  const of = (values: number[] | undefined): number => percentile(values ?? [], 95);
  const size = Math.max(...(sizes ?? []));
  report('the page: js and css of the first view', `${(size / 1_000).toFixed(1)} kB`, '<= 60 kB', size <= 60_000);
  report('on a phone: first paint', `p95 ${ms(of(fcp))}`, '<= 1200 ms', of(fcp) <= 1_200);
  report('on a phone: largest paint', `p95 ${ms(of(lcp))}`, '<= 1800 ms', of(lcp) <= 1_800);
  report('on a phone: slowest answer to a touch or a key', `p95 ${ms(of(inp))}`, '<= 150 ms', of(inp) <= 150);
  report('on a phone: moved by itself', `p95 ${of(cls).toFixed(3)}`, '<= 0.02', of(cls) <= 0.02);
}

/** The compressed bytes of scripts and styles until now. */
const SIZE = `performance.getEntriesByType('resource').filter(({ name }) => /\\.(?:js|css)$/.test(new URL(name).pathname))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`;

/** What a person does first: looks for a session, opens it, and goes back. */
async function use(page: PageWorld['page']): Promise<void> {
  await page.locator('.search input').click();
  await page.keyboard.type('row-3', { delay: 60 });
  await page.locator('.row').first().click();
  await page.locator('.reply').first().waitFor();
  await page.locator('.composer textarea').click();
  await page.keyboard.type('and now', { delay: 60 });
  await page.locator('.icon-button.back').click();
  await page.locator('.row').first().waitFor();
}

/** From the start of the navigation to the first row. */
async function firstRow(page: PageWorld['page']): Promise<number> {
  await page.locator('.row').first().waitFor();
  return (await page.evaluate('performance.now()')) as number;
}
