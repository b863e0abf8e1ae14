import type { VNode } from 'preact';
import { useApp } from '../model/app.ts';
import { timeText } from '../words/format.ts';
import { STRINGS } from '../words/strings.ts';

/** Says what is wrong with the connection. While it is live: whether there is a new version, or nothing. */
export function ConnectionLine(): VNode | null {
  const app = useApp();
  const state = app.state.value;
  if (state.is === 'live') return app.hasUpdate.value ? <UpdateLine /> : null;
  if (state.is === 'signed out' || state.is === 'connecting') return null;
  const isBad = state.is === 'offline' || state.is === 'daemon away';
  const text =
    'sinceMs' in state
      ? STRINGS.connection[state.is](timeText(state.sinceMs, app.nowMs.peek()))
      : STRINGS.connection[state.is];
  return (
    <div class={`connection ${isBad ? 'bad' : ''}`} role="status">
      <span>{text}</span>
      {isBad && (
        <button type="button" class="quiet" onClick={() => app.live.retry()}>
          {STRINGS.connection.retry}
        </button>
      )}
    </div>
  );
}

/** What is written is kept over it; it is loaded when somebody says so. */
function UpdateLine(): VNode {
  const app = useApp();
  return (
    <div class="connection" role="status">
      <span>{STRINGS.connection.update}</span>
      <button type="button" class="quiet" onClick={() => location.reload()}>
        {STRINGS.connection.load}
      </button>
      <button type="button" class="quiet" onClick={() => (app.hasUpdate.value = false)}>
        {STRINGS.connection.later}
      </button>
    </div>
  );
}
