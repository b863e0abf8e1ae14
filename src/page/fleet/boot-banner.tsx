import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { useApp } from '../model/app.ts';
import { addressOf } from '../model/route.ts';
import { Icon } from '../ui/icon.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { STRINGS } from '../words/strings.ts';
import { follow } from './row.tsx';

/** What a restart or a sleep interrupted and nobody has resumed; leads to where that is done. */
export function BootBanner(): VNode | null {
  const app = useApp();
  const told = useSignal<string | null>(null);
  const isLive = app.state.value.is === 'live';
  useEffect(() => {
    if (!isLive) return;
    const leaving = new AbortController();
    app.outlast.daemonStatus(leaving.signal).then(
      ({ interrupted }) => {
        told.value = interrupted;
      },
      // The connection says why.
      () => {},
    );
    return () => leaving.abort();
  }, [isLive]);
  if (told.value === null) return null;
  return (
    <a
      class="boot-banner"
      href={addressOf({ is: 'boot' })}
      onClick={(event) => follow(event, () => app.go({ is: 'boot' }))}
    >
      <Icon name="boot" size={14} />
      <span>
        <SafeLine text={told.value} />
      </span>
      <strong>{STRINGS.fleet.bootBanner}</strong>
    </a>
  );
}
