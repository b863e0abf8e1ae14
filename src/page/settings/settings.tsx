import type { ComponentChildren, VNode } from 'preact';
import { useApp } from '../model/app.ts';
import { Icon } from '../ui/icon.tsx';
import { SETTINGS } from '../words/settings.ts';
import { STRINGS } from '../words/strings.ts';
import { Appearance } from './appearance.tsx';
import { Devices } from './devices.tsx';
import { Health } from './health.tsx';
import { Notices } from './notices.tsx';
import { Pair } from './pair.tsx';

/** How this page looks, who may open it, and whether all is well. */
export function SettingsPage(): VNode {
  const app = useApp();
  return (
    <div class="settings">
      <h1 tabIndex={-1} data-head>
        {SETTINGS.title}
      </h1>
      <Section title={SETTINGS.devices.title} hint={SETTINGS.devices.hint}>
        <Devices />
      </Section>
      {app.may('admin') && (
        <Section title={SETTINGS.pair.title} hint={SETTINGS.pair.hint}>
          <Pair />
        </Section>
      )}
      <Section title={SETTINGS.appearance.title} hint={SETTINGS.appearance.hint}>
        <Appearance />
      </Section>
      <Section title={SETTINGS.notices.title} hint={SETTINGS.notices.hint}>
        <Notices />
      </Section>
      <Section title={SETTINGS.health.title} hint={SETTINGS.health.hint}>
        <Health />
      </Section>
      <Section title={STRINGS.keys.title} hint={SETTINGS.keysHint}>
        <button type="button" class="plain small" onClick={() => (app.overlay.value = 'keys')}>
          <Icon name="keys" /> {STRINGS.actions.keys}
        </button>
      </Section>
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly hint: string;
  readonly children: ComponentChildren;
}

function Section({ title, hint, children }: SectionProps): VNode {
  return (
    <section class="setting" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <p>{hint}</p>
      </header>
      <div class="setting-body">{children}</div>
    </section>
  );
}
