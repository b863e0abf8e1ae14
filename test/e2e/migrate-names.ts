/** What the systems that Outlast replaces have: what somebody who knew them may look for. */
export const NAMES: Readonly<Record<string, readonly string[]>> = {
  'the wrapper and its monitor': [
    ...['wrapper.sh', 'monitor.sh', 'manifest_read', 'manifest_set', 'local-smoke-test.sh', 'TASK_TMPDIR'],
    ...['MONITOR_BASE_INTERVAL', 'MONITOR_MAX_INTERVAL', 'MONITOR_DEADLINE', 'MONITOR_GRACE_PERIOD'],
    ...['MONITOR_MAX_RETRIES', 'MONITOR_DISPATCH_WAIT', '18000 s', '300 s', '30 s', '10 s', '143, 129, 130'],
  ],
  'exec and process': [
    ...['command', 'workdir', 'env', 'yieldMs', 'background', 'timeout', 'pty', 'elevated', 'host', 'security', 'ask'],
    ...['node', 'list', 'poll', 'log', 'write', 'send-keys', 'submit', 'paste', 'kill', 'clear', 'remove', 'eof'],
    ...['hex', 'literal', 'offset', 'limit', 'PI_BASH_YIELD_MS', 'PI_BASH_MAX_OUTPUT_CHARS', 'PI_BASH_JOB_TTL_MS'],
    ...[
      'OPENCLAW_BASH_PENDING_MAX_OUTPUT_CHARS',
      'notifyOnExit',
      'notifyOnExitEmptySuccess',
      'pathPrepend',
      'safeBins',
    ],
    ...['retryInMs', 'approvalRunningNoticeMs', 'manual-cancel', 'overall-timeout', 'no-output-timeout'],
    ...['spawn-error', 'cancelScope', 'replaceExistingScope', 'allow-once', 'allow-always', 'askFallback', 'allowlist'],
    ...['tools.exec.timeoutSec', 'tools.exec.cleanupMs', 'tools.exec.backgroundMs', 'exec-approvals.json'],
  ],
  'the tmux helpers': [
    ...['find-sessions.sh', 'wait-for-text.sh', '-A', '-L NAME', '-S PATH', '-q TEXT', '-t T', '-p ERE', '-F'],
    ...['`-T` 15', '`-i` 0.5', '`-l` 1000', 'OPENCLAW_TMUX_SOCKET_DIR', 'CLAWDBOT_TMUX_SOCKET_DIR'],
  ],
  'sessions_spawn and subagents': [
    ...['task', 'label', 'agentId', 'model', 'runTimeoutSeconds', 'cleanup', 'subagents list', 'subagents kill'],
    ...['subagents steer', 'thinking', 'maxConcurrent'],
  ],
  'the eight scripts': [
    ...['launch-worker.sh', 'send-prompt.sh', 'wait-for-event.sh', 'read-events.sh', 'read-turn.sh', 'converse.sh'],
    ...['stop-worker.sh', 'approve-tool.sh', '30 s for', '[120]', '[60]', '10 s for', '30 s, then allow'],
    ...['--after-line', '--last', '--type', '--follow', '--full', 'CLAUDE_SESSION_DRIVER_APPROVAL_TIMEOUT'],
  ],
  csd: [
    ...[
      'launch',
      '--harness',
      'adopt',
      'list',
      '--all',
      'prune',
      'grant-consent',
      'grant-workspace-trust',
      '--with-turn',
    ],
    ...['send', 'wait-for-turn', 'status', 'read-events', 'read-turn', 'stop', 'handoff', 'session-id', 'events-file'],
    ...['--worker', 'recover-workers.sh', 'CSD_WORKER_DIR', 'CSD_SUBMIT_TIMEOUT', 'CSD_SUBMIT_RETRY_INTERVAL'],
    ...['CSD_REGISTER_TIMEOUT', 'CSD_START_TIMEOUT_MS', 'CSD_TRUST_TIMEOUT_MS', 'CSD_CONVERSE_DIAG_FILE', 'CSD_PATH'],
    ...['CSD_CLAUDE_BIN', 'CSD_CODEX_BIN', 'CSD_PI_BIN', 'CSD_CODEX_MODEL', 'CSD_PI_MODEL', 'CSD_PI_PROVIDER'],
    ...['CSD_EMIT_EVENT_PATH', 'CSD_PI_EXTENSION_PATH', 'session_start', 'user_prompt_submit', 'pre_tool_use'],
    ...['post_tool_use', 'stop_failure', 'session_end', 'gone', 'unknown', 'terminated', 'working', 'idle', '124'],
  ],
  'boot-resume': [
    ...['boot-resume-check.sh', 'install.sh', 'boot-resume.conf', 'boot-resume-wake.service', 'OPENCLAW_STATE_DIR'],
    ...['WINDOW_MINUTES', 'DELAY', '12 s', '--no-wait', 'restart-resume.json', 'INTERRUPTED', 'COMPLETE', 'TRIVIAL'],
    ...['EMPTY', 'boot-resume.log', 'heartbeat', ':cron:', ':subagent:', ':main'],
  ],
};
