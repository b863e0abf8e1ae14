import { expect, test } from 'vitest';
import { type Clock, realClock } from '../../src/base/clock.ts';
import { findDesktop } from '../../src/daemon/notices/desktop.ts';
import { desktopService, sessionBus } from '../dbus.ts';
import { eventually } from '../eventually.ts';
import { noticeWorld } from './notice-world.ts';

// A real session bus, a real notify-send, and a receiver of ours that owns the name of the notification service.

const PATH = process.env.PATH ?? '';
const real = realClock();
/** A busy machine may not answer in the time that a person would wait. */
const patient: Clock = { ...real, sleep: (ms, signal) => real.sleep(ms * 20, signal) };
const find = (address: string) => findDesktop(patient, { PATH, DBUS_SESSION_BUS_ADDRESS: address });

test('a desktop is found by asking the bus, and its lack is explained', async () => {
  await using bus = await sessionBus();
  expect(await find(bus.address)).toEqual({ is: false, why: 'no program shows notifications here' });
  const service = await desktopService(bus.address);
  expect(await find(bus.address)).toEqual({ is: true });
  service.close();
  await eventually(async () => !(await find(bus.address)).is);
  expect(await find('disabled:')).toEqual({ is: false, why: 'there is no session bus' });
  expect(await find('unix:path=/nonexistent')).toMatchObject({ why: expect.stringContaining('ENOENT') });
  expect(await find('tcp:host=localhost')).toMatchObject({ why: expect.stringContaining('no Unix socket') });
  const none = { PATH: '/nonexistent', DBUS_SESSION_BUS_ADDRESS: bus.address };
  // findOnPath also looks in our own PATH, where notify-send is.
  expect(await findDesktop(patient, none, 'win32')).toMatchObject({ is: false });
});

test('without notices in the config a desktop shows what is announced; without a desktop nothing fails', async () => {
  await using bus = await sessionBus();
  const before = process.env.DBUS_SESSION_BUS_ADDRESS;
  process.env.DBUS_SESSION_BUS_ADDRESS = bus.address;
  try {
    await using world = noticeWorld({ desktop: 'auto' });
    const notices = world.start();
    expect(notices.current().map(({ name }) => name)).toEqual(['desktop']);
    // Not in the status, which is about the config, and nothing waits for it.
    expect([notices.status(), notices.delivered(Number.MAX_SAFE_INTEGER)]).toEqual([[], true]);
    world.end({ spec: { name: 'unseen' } });
    await eventually(() => world.backoffs.includes(1_000));
    using service = await desktopService(bus.address);
    await eventually(() => {
      world.end({ spec: { name: 'seen' }, output: '<b>bold</b> & more\n' });
      return service.shown.length > 0;
    });
    const [first] = service.shown;
    expect(first?.app).toBe('Outlast');
    expect(`${first?.summary} ${first?.body}`).toContain('npm test (seen) ended: exit 0, 42s');
    expect(JSON.stringify(service.shown)).not.toContain('<b>');
    expect(world.lines.filter((line) => line.includes('desktop'))).toEqual([]);
  } finally {
    process.env.DBUS_SESSION_BUS_ADDRESS = before;
  }
});

test('a config with notices, or one that says so, shows nothing on the desktop by itself', async () => {
  await using world = noticeWorld();
  expect(world.start().current()).toEqual([]);
});
