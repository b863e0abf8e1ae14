// Variables of the systems that people migrate from. They work here too, so that existing scripts keep working.

/** How long `watch` shows a call, in seconds. */
export const WATCH_SECONDS = 'CLAUDE_SESSION_DRIVER_APPROVAL_TIMEOUT';

/** Folders in which tmux servers have their sockets. */
export const TMUX_SOCKET_FOLDERS = ['OPENCLAW_TMUX_SOCKET_DIR', 'CLAWDBOT_TMUX_SOCKET_DIR'] as const;
