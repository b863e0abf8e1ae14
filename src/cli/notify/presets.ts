import { wrongCall } from '../base/parse.ts';

/** One way to be told, as `notify setup` offers it. */
export interface Preset {
  readonly about: string;
  /** What is asked besides the secret, and an example. */
  readonly address?: { readonly ask: string; readonly example: string };
  /** Its token, or the address that is a secret itself; the key names the file in the config. */
  readonly secret?: { readonly ask: string; readonly key: string; readonly isNeeded: boolean };
  /** The notice, as in the config file and without its secret. */
  readonly notice: (address: string) => Readonly<Record<string, object | true>>;
}

const hookOf = (service: string, where: string): NonNullable<Preset['secret']> => ({
  ask: `${service} webhook address, not echoed (${where})`,
  key: 'urlFile',
  isNeeded: true,
});

/** All presets, in the order in which they are offered. */
export const PRESETS: Readonly<Record<string, Preset>> = {
  desktop: { about: 'a notification on the desktop of this machine', notice: () => ({ desktop: true }) },
  ntfy: {
    about: 'a push message through ntfy.sh, or an ntfy server of your own',
    address: { ask: 'Topic, or the full address of one', example: 'https://ntfy.sh/my-sessions-7f3a' },
    secret: { ask: '', key: 'tokenFile', isNeeded: false },
    notice: ntfyNotice,
  },
  slack: {
    about: 'a message in Slack',
    secret: hookOf('Slack', 'from Incoming Webhooks'),
    notice: () => ({ slack: {} }),
  },
  discord: {
    about: 'a message in Discord',
    secret: hookOf('Discord', 'from Integrations of the channel'),
    notice: () => ({ discord: {} }),
  },
  telegram: {
    about: 'a message in Telegram',
    address: { ask: 'Id of the chat, or @channel', example: '123456789' },
    secret: { ask: 'Bot token, not echoed (from @BotFather)', key: 'tokenFile', isNeeded: true },
    notice: (chat) => ({ telegram: { chat } }),
  },
  teams: {
    about: 'a message in Microsoft Teams',
    secret: hookOf('Teams', 'from Workflows'),
    notice: () => ({ teams: {} }),
  },
  email: {
    about: 'an e-mail, by sendmail or msmtp on this machine',
    address: { ask: 'Your address', example: 'ann@example.org' },
    notice: (to) => ({ email: { to } }),
  },
  webhook: {
    about: 'JSON to an address of your own',
    address: { ask: 'The address', example: 'https://example.org/outlast' },
    secret: { ask: '', key: 'secretFile', isNeeded: false },
    notice: (url) => ({ webhook: { url } }),
  },
};

/** A topic alone is one of ntfy.sh. */
function ntfyNotice(address: string): { ntfy: object } {
  if (!address.includes('/')) return { ntfy: { url: 'https://ntfy.sh', topic: address } };
  const parsed = URL.parse(address);
  const topic = parsed?.pathname.split('/').findLast(Boolean);
  if (parsed === null || topic === undefined)
    throw wrongCall(`notify setup: "${address}" is neither a topic nor an address such as https://ntfy.sh/TOPIC`);
  const path = parsed.pathname.replace(/\/[^/]+\/?$/, '');
  return { ntfy: { url: `${parsed.origin}${path}`, topic } };
}
