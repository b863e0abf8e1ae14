import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ListedDevice } from '../live/types.ts';
import { useApp } from '../model/app.ts';
import { Age, At } from '../ui/age.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { SETTINGS } from '../words/settings.ts';
import { STRINGS } from '../words/strings.ts';
import { useAsked } from './asked.ts';
import { Waiting } from './waiting.tsx';

const { devices: words } = SETTINGS;

/** The browsers that are signed in, this one first; each can be signed out. */
export function Devices(): VNode {
  const app = useApp();
  const { value, again } = useAsked(() => app.live.devices());
  const ending = useSignal<ListedDevice | null>(null);
  useEffect(() => app.live.newcomer.subscribe(again), []);
  const known = value.value;
  if (known === undefined || typeof known === 'string') return <Waiting why={known} />;
  const all = known.toSorted(
    (one, other) => Number(other.isSelf) - Number(one.isSelf) || other.seenAtMs - one.seenAtMs,
  );
  const end = async ({ id, name, isSelf }: ListedDevice): Promise<void> => {
    ending.value = null;
    const work = isSelf ? () => app.live.signOut() : () => app.live.revoke(id);
    if (await app.perform(words.revoke, work, words.revoked(name))) again();
  };
  return (
    <>
      <ul class="devices">
        {all.map((device) => (
          <li key={device.id}>
            <DeviceRow device={device} end={() => (ending.value = device)} />
          </li>
        ))}
      </ul>
      {!app.may('admin') && <p class="muted">{words.onlyThis}</p>}
      {ending.value !== null && (
        <EndDialog device={ending.value} close={() => (ending.value = null)} end={(device) => void end(device)} />
      )}
    </>
  );
}

function DeviceRow({ device, end }: { readonly device: ListedDevice; readonly end: () => void }): VNode {
  const { name, grants, isSelf, isConnected, createdAtMs, seenAtMs } = device;
  return (
    <div class="device">
      <p class="device-name">
        <SafeLine text={name} />
        {isSelf && <span class="tag">{words.self}</span>}
      </p>
      <p class="device-facts">
        <span>
          {isConnected ? (
            words.connected
          ) : (
            <>
              {words.seen} <Age atMs={seenAtMs} /> {words.ago}
            </>
          )}
        </span>
        <span>
          {words.since} <At atMs={createdAtMs} />
        </span>
        <span class="grants">{grants.join(' · ')}</span>
      </p>
      <button
        type="button"
        class="plain small"
        onClick={end}
        aria-label={`${isSelf ? words.signOut : words.revoke}: ${name}`}
      >
        {isSelf ? words.signOut : words.revoke}
      </button>
    </div>
  );
}

interface EndProps {
  readonly device: ListedDevice;
  readonly close: () => void;
  readonly end: (device: ListedDevice) => void;
}

function EndDialog({ device, close, end }: EndProps): VNode {
  const title = device.isSelf ? words.signOutAsk : words.revokeAsk(device.name);
  return (
    <Dialog label={title} kind="ask" close={close}>
      <h2>{title}</h2>
      <p>{words.revokeTold}</p>
      <div class="buttons">
        <button type="button" class="plain" onClick={close}>
          {STRINGS.cancel}
        </button>
        <button type="button" class="danger" onClick={() => end(device)}>
          {device.isSelf ? words.signOut : words.revoke}
        </button>
      </div>
    </Dialog>
  );
}
