import { expect, test } from 'vitest';
import { addressOf, type Route, routeOf } from './route.ts';

test('each place has an address that leads back to it', () => {
  const places: readonly Route[] = [
    { is: 'fleet' },
    { is: 'inbox', question: null },
    { is: 'inbox', question: 'k7mpq2xw' },
    { is: 'session', session: '01m7tkr75r4n6m9yygmm', tab: 'conversation' },
    { is: 'session', session: 'a/b #%', tab: 'screen' },
    { is: 'session', session: 'x', tab: 'conversation', turn: 12 },
    { is: 'search', words: '' },
    { is: 'search', words: '"a/b" ü #%*' },
    { is: 'usage', days: 7 },
    { is: 'usage', days: 30 },
    { is: 'boot' },
    { is: 'tree' },
    { is: 'new' },
    { is: 'session', session: 'x', tab: 'changes' },
  ];
  expect(places.map((place) => routeOf(addressOf(place)))).toEqual(places);
});

test('what is not known is the list, or the first view', () => {
  for (const odd of ['', '#', '#/nowhere/x', '#/session', '#/session/%E0%A4%A'])
    expect(routeOf(odd)).toEqual({ is: 'fleet' });
  expect(routeOf('#/usage/8')).toEqual({ is: 'usage', days: 7 });
  expect(routeOf('#/session/x/conversation/-1')).toEqual({ is: 'session', session: 'x', tab: 'conversation' });
  expect(routeOf('#/session/x/nowhere')).toEqual({ is: 'session', session: 'x', tab: 'conversation' });
});
