import type { Command } from './base/command.ts';

interface Row {
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Every command, in the order of the help. Each file is loaded only when its command is used. */
export const TABLE: Readonly<Record<string, Row>> = {
  exec: {
    summary: 'Run a command that survives its caller.',
    load: async () => (await import('./commands/exec.ts')).exec,
  },
  run: {
    summary: 'Run an agent on one prompt and print its reply.',
    load: async () => (await import('./commands/run.ts')).run,
  },
  start: { summary: 'Start an agent session.', load: async () => (await import('./commands/start.ts')).start },
  batch: {
    summary: 'Run the sessions of a file, in dependency order.',
    load: async () => (await import('./commands/batch.ts')).batch,
  },
  spawn: {
    summary: 'Start an agent from inside a session, and get its updates.',
    load: async () => (await import('./commands/spawn.ts')).spawn,
  },
  tell: {
    summary: 'Inside a session: send a message to its owner.',
    load: async () => (await import('./commands/tell.ts')).tell,
  },
  prompt: { summary: 'Send a prompt to an agent.', load: async () => (await import('./commands/prompt.ts')).prompt },
  converse: {
    summary: 'Send a prompt to an agent and print the reply.',
    load: async () => (await import('./commands/converse.ts')).converse,
  },
  turn: {
    summary: 'Print a turn of a conversation as Markdown.',
    load: async () => (await import('./commands/turn.ts')).turn,
  },
  resume: {
    summary: 'Resume an ended, held or limited agent session.',
    load: async () => (await import('./commands/resume.ts')).resume,
  },
  boot: {
    summary: 'Find interrupted conversations, and resume them.',
    load: async () => (await import('./commands/boot.ts')).boot,
  },
  handoff: {
    summary: 'Give control of a session to a person, or take it back.',
    load: async () => (await import('./commands/handoff.ts')).handoff,
  },
  list: {
    summary: 'List sessions: live ones first, then newest first.',
    load: async () => (await import('./commands/list.ts')).list,
  },
  show: {
    summary: 'Show session details.',
    load: async () => (await import('./commands/show.ts')).show,
  },
  agents: {
    summary: 'Show which agents are installed, and what works with each.',
    load: async () => (await import('./commands/agents.ts')).agents,
  },
  'agents test': {
    summary: 'Test an agent on this machine: which promises hold with it.',
    load: async () => (await import('./commands/agents-test.ts')).agentsTest,
  },
  usage: {
    summary: 'Show agent usage by day, model and session.',
    load: async () => (await import('./commands/usage.ts')).usage,
  },
  limits: {
    summary: 'Show how much of the usage limits is used, by account.',
    load: async () => (await import('./commands/limits.ts')).limits,
  },
  report: {
    summary: 'Print a one-page report on a session.',
    load: async () => (await import('./commands/report.ts')).report,
  },
  approvals: {
    summary: 'List the tool calls that wait for approval.',
    load: async () => (await import('./commands/approvals.ts')).approvals,
  },
  approve: {
    summary: 'Allow a tool call that waits for approval.',
    load: async () => (await import('./commands/approve.ts')).approve,
  },
  deny: {
    summary: 'Deny a tool call that waits for approval.',
    load: async () => (await import('./commands/approve.ts')).deny,
  },
  audit: {
    summary: 'List the decisions about tool calls.',
    load: async () => (await import('./commands/audit.ts')).audit,
  },
  'audit verify': {
    summary: 'Verify that no decision was changed.',
    load: async () => (await import('./commands/audit.ts')).auditVerify,
  },
  'audit head': {
    summary: 'Print the last row, to store elsewhere.',
    load: async () => (await import('./commands/audit.ts')).auditHead,
  },
  wait: {
    summary: 'Wait for a reply, an end, an event or a text.',
    load: async () => (await import('./commands/wait.ts')).wait,
  },
  output: {
    summary: 'Print the output of a session.',
    load: async () => (await import('./commands/output.ts')).output,
  },
  screen: { summary: 'Show the screen of a session.', load: async () => (await import('./commands/screen.ts')).screen },
  keys: { summary: 'Press keys in a session.', load: async () => (await import('./commands/keys.ts')).keys },
  paste: { summary: 'Paste text into a session.', load: async () => (await import('./commands/keys.ts')).paste },
  attach: {
    summary: 'Attach to the terminal of a session.',
    load: async () => (await import('./commands/attach.ts')).attach,
  },
  events: { summary: 'Read the journal.', load: async () => (await import('./commands/events.ts')).events },
  interrupt: {
    summary: 'Interrupt a command, or the turn of an agent.',
    load: async () => (await import('./commands/interrupt.ts')).interrupt,
  },
  stop: {
    summary: 'End sessions and everything they started.',
    load: async () => (await import('./commands/stop.ts')).stop,
  },
  remove: {
    summary: 'Remove ended sessions and their output.',
    load: async () => (await import('./commands/remove.ts')).remove,
  },
  'process list': {
    summary: 'List sessions, one line each.',
    load: async () => (await import('./commands/list.ts')).processList,
  },
  'process poll': {
    summary: 'Print the output since the last poll.',
    load: async () => (await import('./commands/process-read.ts')).poll,
  },
  'process log': {
    summary: 'Page through output by line or by byte.',
    load: async () => (await import('./commands/process-read.ts')).log,
  },
  'process write': {
    summary: 'Write to the input of a session.',
    load: async () => (await import('./commands/process-input.ts')).write,
  },
  'process send-keys': {
    summary: 'Send text, bytes and keys.',
    load: async () => (await import('./commands/process-input.ts')).sendKeys,
  },
  'process submit': { summary: 'Press Enter.', load: async () => (await import('./commands/process-input.ts')).submit },
  'process paste': {
    summary: 'Paste text.',
    load: async () => (await import('./commands/process-input.ts')).processPaste,
  },
  'process kill': { summary: 'End a session.', load: async () => (await import('./commands/process-end.ts')).kill },
  'process clear': {
    summary: 'Forget an ended session.',
    load: async () => (await import('./commands/process-end.ts')).clear,
  },
  'process remove': {
    summary: 'End and forget a session.',
    load: async () => (await import('./commands/process-end.ts')).processRemove,
  },
  'tmux find': {
    summary: 'List tmux sessions on all sockets.',
    load: async () => (await import('./commands/tmux.ts')).find,
  },
  'tmux capture': { summary: 'Read a tmux pane.', load: async () => (await import('./commands/tmux.ts')).capture },
  'tmux wait': {
    summary: 'Wait for a text in a tmux pane.',
    load: async () => (await import('./commands/tmux.ts')).tmuxWait,
  },
  'rules test': {
    summary: 'Show how rules decide a tool call.',
    load: async () => (await import('./commands/rules.ts')).rulesTest,
  },
  'rules list': {
    summary: 'List the saved rules.',
    load: async () => (await import('./commands/rules.ts')).rulesList,
  },
  'rules remove': {
    summary: 'Delete a saved rule.',
    load: async () => (await import('./commands/rules.ts')).rulesRemove,
  },
  'daemon start': { summary: 'Start the daemon.', load: async () => (await daemon()).start },
  'daemon stop': { summary: 'Stop the daemon; sessions keep running.', load: async () => (await daemon()).stop },
  'daemon status': { summary: 'Show daemon status.', load: async () => (await daemon()).status },
  'daemon wake': { summary: 'Notify the daemon that the machine woke up.', load: async () => (await daemon()).wake },
  'daemon logs': { summary: 'Print the daemon log.', load: async () => (await daemon()).logs },
  'state check': { summary: 'Check the journal for damage.', load: async () => (await state()).check },
  'state backup': { summary: 'Back up the journal.', load: async () => (await state()).backup },
  'state restore': { summary: 'Restore a backup of the journal.', load: async () => (await state()).restore },
  'state repair': { summary: 'Rebuild a damaged journal.', load: async () => (await state()).repair },
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
  mcp: {
    summary: 'Serve the Model Context Protocol to another agent.',
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
  acp: { summary: 'Serve the Agent Client Protocol.', load: async () => (await import('./commands/acp.ts')).acp },
  doctor: {
    summary: 'Check the installation.',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  completion: {
    summary: 'Print a completion script for your shell.',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
  help: { summary: 'Show help for a command.', load: async () => (await import('./help-command.ts')).help },
};

const daemon = () => import('./commands/daemon.ts');
const state = () => import('./commands/state.ts');

/** Hidden commands, called by the completion scripts. */
export const HIDDEN: Readonly<Record<string, Row>> = {
  __complete: { summary: 'Complete a command line.', load: async () => (await import('./complete.ts')).complete },
};

/** The command at the beginning of a command line; null when there is none of that name. */
export function findCommand(words: readonly string[]): { name: string; row: Row; rest: readonly string[] } | null {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ');
    const row = words.length >= count ? (own(TABLE, name) ?? own(HIDDEN, name)) : undefined;
    if (row !== undefined) return { name, row, rest: words.slice(count) };
  }
  return null;
}

/** The commands of a group, such as `process`; empty when it is not a group. */
export function commandsOf(group: string): string[] {
  return Object.keys(TABLE).filter((name) => name.startsWith(`${group} `));
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
