import type { VNode } from 'preact';
import type { Route } from '../model/route.ts';
import { Styled } from '../ui/styled.tsx';

/** A place that takes the whole width and is loaded when a person first goes there. */
type WideRoute = Extract<Route, { is: 'search' | 'usage' | 'boot' | 'tree' | 'settings' }>;

/** Does a place take the whole width? */
export function isWide(route: Route): route is WideRoute {
  return ['search', 'usage', 'boot', 'tree', 'settings'].includes(route.is);
}

/** What is at a place that is loaded on use. */
export function PlaceView({ route }: { readonly route: WideRoute }): VNode {
  switch (route.is) {
    case 'search':
      return (
        <Styled
          key="search"
          load={() => import('../search/search.tsx')}
          draw={({ SearchPage }) => <SearchPage words={route.words} />}
        />
      );
    case 'usage':
      return (
        <Styled
          key="usage"
          load={() => import('../usage/usage.tsx')}
          draw={({ UsagePage }) => <UsagePage days={route.days} />}
        />
      );
    case 'boot':
      return <Styled key="boot" load={() => import('../boot/boot.tsx')} draw={({ BootPage }) => <BootPage />} />;
    case 'tree':
      return <Styled key="tree" load={() => import('../tree/tree.tsx')} draw={({ TreePage }) => <TreePage />} />;
    case 'settings':
      return (
        <Styled
          key="settings"
          load={() => import('../settings/settings.tsx')}
          draw={({ SettingsPage }) => <SettingsPage />}
        />
      );
  }
}
