// What the page is asked in the benches of the page: when things were on its screen, and how long it was busy.
import { readFileSync } from 'node:fs';
import type { CDPSession, Page } from 'playwright-core';

/** Keeps what the browser itself measures, from the first byte on. */
export const VITALS = `globalThis.vitals = { fcp: 0, lcp: 0, cls: 0, inp: 0, task: 0 };
{
  const watch = (type, each, more = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true, ...more });
  watch('paint', (e) => { if (e.name === 'first-contentful-paint') vitals.fcp = e.startTime; });
  watch('largest-contentful-paint', (e) => { vitals.lcp = e.startTime; });
  watch('layout-shift', (e) => { if (!e.hadRecentInput) vitals.cls += e.value; });
  watch('event', (e) => { if (e.interactionId > 0) vitals.inp = Math.max(vitals.inp, e.duration); },
    { durationThreshold: 16 });
  watch('longtask', (e) => { vitals.task = Math.max(vitals.task, e.duration); });
}`;

/** What the browser measured. */
export interface Vitals {
  readonly fcp: number;
  readonly lcp: number;
  readonly cls: number;
  /** The longest answer to a key or a click: from the event to the next frame. */
  readonly inp: number;
  /** The longest task of over 50 ms; 0: there was none. */
  readonly task: number;
}

/** What the browser has measured until now, after the frames in which it is still busy. */
export async function vitalsOf(page: Page): Promise<Vitals> {
  await page.evaluate(`new Promise((over) => setTimeout(() => requestAnimationFrame(() => setTimeout(over, 50)), 50))`);
  return (await page.evaluate('vitals')) as Vitals;
}

/** A phone in a train: a quarter of the speed, 150 ms away, 1.6 Mbit/s. */
export async function beAPhone(page: Page): Promise<CDPSession> {
  await page.setViewportSize({ width: 390, height: 844 });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  const [downloadThroughput, uploadThroughput] = [1_600_000 / 8, 1_600_000 / 8];
  await devtools.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 150, downloadThroughput, uploadThroughput },
  });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  return devtools;
}

/** The memory of a process. */
export function rssOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
}
