import type { Rows } from './base/row.ts';

/** Commands about the daemon and this machine. */
export const MACHINE: Rows = {
  'notify setup': {
    summary: 'Choose how Outlast notifies you, and test it.',
    load: async () => (await notify()).setup,
  },
  'notify test': {
    summary: 'Send a test message to a notice.',
    load: async () => (await notify()).notifyTest,
  },
  'notify list': {
    summary: 'List the notices, with the result of the last deliveries.',
    load: async () => (await notify()).list,
  },
  'notify remove': {
    summary: 'Remove a notice, and the secret that was stored for it.',
    load: async () => (await import('./commands/notify-remove.ts')).notifyRemove,
  },
  web: {
    summary: 'Serve the web page, and sign in the browser of this machine.',
    load: async () => (await web()).web,
  },
  'web link': {
    summary: 'Print a link that signs one more browser in, such as that of a phone.',
    load: async () => (await web()).webLink,
  },
  'web devices': {
    summary: 'List the browsers that are signed in.',
    load: async () => (await web()).webDevices,
  },
  'web revoke': {
    summary: 'Sign a browser out, at once and for good.',
    load: async () => (await web()).webRevoke,
  },
  'shell-init': {
    summary: 'Print a shell hook that tells you when your sessions finish.',
    load: async () => (await import('./commands/shell-init.ts')).shellInit,
  },
  boot: {
    summary: 'Find interrupted conversations, and resume them.',
    load: async () => (await import('./commands/boot.ts')).boot,
  },
  'config get': {
    summary: 'Show settings, and where they come from.',
    load: async () => (await config()).get,
  },
  'config set': {
    summary: 'Change a setting in the config file, and make the daemon use it.',
    load: async () => (await configChange()).set,
  },
  'config unset': {
    summary: 'Remove a setting from the config file: its default applies again.',
    load: async () => (await configChange()).unset,
  },
  'config edit': {
    summary: 'Edit the config file, and check it before it is saved.',
    load: async () => (await configChange()).edit,
  },
  'config check': {
    summary: 'Check the config file, and list every mistake with its line.',
    load: async () => (await config()).check,
  },
  'config reload': {
    summary: 'Make the daemon reload the config file.',
    load: async () => (await configChange()).reload,
  },
  'config path': {
    summary: 'Print the path of the config file.',
    load: async () => (await config()).pathCommand,
  },
  'config schema': {
    summary: 'Print the JSON Schema of the config file, for editors.',
    load: async () => (await config()).schema,
  },
  'daemon start': {
    summary: 'Start the daemon.',
    load: async () => (await daemon()).start,
  },
  'daemon stop': {
    summary: 'Stop the daemon; sessions keep running.',
    load: async () => (await daemon()).stop,
  },
  'daemon restart': {
    summary: 'Stop the daemon and start it again; sessions keep running.',
    load: async () => (await daemon()).restart,
  },
  'daemon status': {
    summary: 'Show daemon status.',
    load: async () => (await daemon()).status,
  },
  'daemon wake': {
    summary: 'Notify the daemon that the machine woke up.',
    load: async () => (await daemon()).wake,
  },
  'daemon logs': {
    summary: 'Print the daemon log.',
    load: async () => (await daemon()).logs,
  },
  'service install': {
    summary: 'Start the daemon at boot, and restart it if it dies.',
    load: async () => (await import('./commands/service.ts')).install,
  },
  'service uninstall': {
    summary: 'Undo `service install`.',
    load: async () => (await import('./commands/service.ts')).uninstall,
  },
  'service status': {
    summary: 'Show whether a service manager runs the daemon.',
    load: async () => (await import('./commands/service.ts')).serviceStatus,
  },
  'state check': {
    summary: 'Check the journal for damage.',
    load: async () => (await state()).check,
  },
  'state backup': {
    summary: 'Back up the journal.',
    load: async () => (await state()).backup,
  },
  'state restore': {
    summary: 'Restore a backup of the journal.',
    load: async () => (await state()).restore,
  },
  'state repair': {
    summary: 'Rebuild a damaged journal.',
    load: async () => (await state()).repair,
  },
  'tmux find': {
    summary: 'List tmux sessions on all sockets.',
    load: async () => (await import('./commands/tmux.ts')).find,
  },
  'tmux capture': {
    summary: 'Read a tmux pane.',
    load: async () => (await import('./commands/tmux.ts')).capture,
  },
  'tmux wait': {
    summary: 'Wait for a text in a tmux pane.',
    load: async () => (await import('./commands/tmux.ts')).tmuxWait,
  },
  uninstall: {
    summary: 'List what Outlast put on this machine, and remove it.',
    load: async () => (await import('./commands/uninstall.ts')).uninstall,
  },
  doctor: {
    summary: 'Check the installation.',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
};

const config = () => import('./commands/config.ts');
const configChange = () => import('./commands/config-change.ts');
const daemon = () => import('./commands/daemon.ts');
const state = () => import('./commands/state.ts');
const web = () => import('./commands/web.ts');
const notify = () => import('./commands/notify.ts');
