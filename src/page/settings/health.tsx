import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { CallOutput } from '../../api/contract.ts';
import { useApp } from '../model/app.ts';
import { Command } from '../ui/copy.tsx';
import { Icon } from '../ui/icon.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { SETTINGS } from '../words/settings.ts';

const { health: words } = SETTINGS;

type Check = CallOutput<'daemon.doctor'>['checks'][number];
type Audit = CallOutput<'audit.verify'>;

/** The checks of the daemon and of the audit. They take a moment, so they run when they are asked for. */
export function Health(): VNode {
  const app = useApp();
  const checks = useSignal<readonly Check[] | null>(null);
  const audit = useSignal<Audit | null>(null);
  const running = useSignal<string | null>(null);
  const run = async (what: string, work: () => Promise<void>): Promise<void> => {
    if (running.value !== null) return;
    running.value = what;
    await app.perform(what, work);
    running.value = null;
  };
  const doctor = (): Promise<void> =>
    run(words.doctor, async () => {
      const { checks: all } = await app.outlast.doctor();
      // What is wrong comes first.
      checks.value = all.toSorted((one, other) => Number(one.ok) - Number(other.ok));
    });
  const verify = (): Promise<void> =>
    run(words.verify, async () => {
      audit.value = await app.outlast.approvals.verify();
    });
  return (
    <>
      <div class="setting-row">
        <button type="button" class="plain small" aria-disabled={running.value !== null} onClick={doctor}>
          {words.doctor}
        </button>
        <button type="button" class="plain small" aria-disabled={running.value !== null} onClick={verify}>
          {words.verify}
        </button>
        <span role="status" class="muted">
          {running.value !== null && words.running}
        </span>
      </div>
      {audit.value !== null && <AuditResult audit={audit.value} />}
      {checks.value !== null && (
        <ul class="checks">
          {checks.value.map((check) => (
            <li key={check.name}>
              <CheckRow check={check} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function CheckRow({ check: { name, ok, detail, hint } }: { readonly check: Check }): VNode {
  return (
    <div class="check">
      <Verdict ok={ok} />
      <span class="check-name">
        <SafeLine text={name} />
      </span>
      <span class="check-detail">
        <SafeLine text={detail} />
        {!ok && hint !== undefined && (
          <span class="check-hint">
            <SafeLine text={hint} />
          </span>
        )}
      </span>
    </div>
  );
}

function AuditResult({ audit: { ok, rows, fault, head } }: { readonly audit: Audit }): VNode {
  return (
    <div class="audit">
      <div class="check">
        <Verdict ok={ok} />
        <span class="check-name">{words.audit}</span>
        <span class="check-detail">
          <SafeLine text={ok ? words.intact(rows) : (fault ?? '')} />
        </span>
      </div>
      <p class="muted">{words.head}</p>
      <Command text={`outlast audit verify --head ${head}`} />
    </div>
  );
}

function Verdict({ ok }: { readonly ok: boolean }): VNode {
  return (
    <span class={`verdict ${ok ? 'ok' : 'bad'}`}>
      <Icon name={ok ? 'check' : 'close'} size={14} /> {ok ? words.ok : words.bad}
    </span>
  );
}
