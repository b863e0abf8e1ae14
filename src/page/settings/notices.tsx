import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { CallOutput } from '../../api/contract.ts';
import { useApp } from '../model/app.ts';
import { Age } from '../ui/age.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { SETTINGS } from '../words/settings.ts';
import { useAsked } from './asked.ts';
import { Waiting } from './waiting.tsx';

const { notices: words } = SETTINGS;

type Notice = CallOutput<'notice.list'>['notices'][number];

/** How a person is notified when no page is open, and how the last deliveries went. */
export function Notices(): VNode {
  const app = useApp();
  const { value, again } = useAsked(() => app.outlast.notices());
  const known = value.value;
  if (known === undefined || typeof known === 'string') return <Waiting why={known} />;
  return (
    <>
      {known.notices.length === 0 ? (
        <p class="muted">{words.none}</p>
      ) : (
        <ul class="devices">
          {known.notices.map((notice) => (
            <li key={notice.name}>
              <NoticeRow notice={notice} again={again} />
            </li>
          ))}
        </ul>
      )}
      <p class="muted">
        {words.file} <code>{known.file}</code>
      </p>
    </>
  );
}

function NoticeRow({ notice, again }: { readonly notice: Notice; readonly again: () => void }): VNode {
  const app = useApp();
  const isTesting = useSignal(false);
  const test = async (): Promise<void> => {
    if (isTesting.value) return;
    isTesting.value = true;
    await app.perform(words.test, async () => {
      const { sent, why } = await app.outlast.testNotice(notice.name);
      app.tell(sent ? words.sent(notice.name) : words.failed(notice.name, why ?? ''), !sent);
    });
    isTesting.value = false;
    again();
  };
  return (
    <div class="device">
      <p class="device-name">
        <SafeLine text={notice.name} />
        <span class="tag">{notice.kind}</span>
      </p>
      <p class="device-facts">
        <span>{notice.on.join(', ')}</span>
        <LastDelivery notice={notice} />
        {notice.behind > 0 && <span>{words.behind(notice.behind)}</span>}
      </p>
      {notice.lastError !== null && (
        <p class="bad device-more">
          <SafeLine text={notice.lastError} />
        </p>
      )}
      {app.may('admin') && (
        <button
          type="button"
          class="plain small"
          aria-disabled={isTesting.value}
          onClick={test}
          aria-label={`${words.test}: ${notice.name}`}
        >
          {words.test}
        </button>
      )}
    </div>
  );
}

function LastDelivery({ notice: { deliveredAtMs, failed } }: { readonly notice: Notice }): VNode {
  if (deliveredAtMs == null) return <span>{failed > 0 ? words.gaveUp(failed) : words.nothing}</span>;
  return (
    <span>
      {words.delivered} <Age atMs={deliveredAtMs} /> {SETTINGS.devices.ago}
      {failed > 0 && `, ${words.gaveUp(failed)}`}
    </span>
  );
}
