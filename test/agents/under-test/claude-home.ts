import { symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agentProgram } from '../../../scripts/agents.ts';

const KEY = 'sk-none-0000000000000000000000000000';

/** Loopback only: everything else that Claude Code would call is switched off. */
export function environment(root: string, url: string | null): Record<string, string> {
  const real = {
    ANTHROPIC_BASE_URL: url ?? '',
    ANTHROPIC_API_KEY: KEY,
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '1',
    // Claude Code lets root bypass permissions only if it believes that it runs in a sandbox.
    IS_SANDBOX: '1',
  };
  return {
    PATH: `${join(root, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: join(root, 'home'),
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    CLAUDE_CONFIG_DIR: join(root, 'config'),
    ...(url === null ? {} : real),
  };
}

/** Settings as after the first start. */
export function seed(root: string, isTrusted: boolean, more: Readonly<Record<string, unknown>> = {}): void {
  const workspace = join(root, 'workspace');
  const settings = {
    hasCompletedOnboarding: true,
    // Otherwise the full-screen mode clones a list of plugins from the network.
    officialMarketplaceAutoInstallAttempted: true,
    officialMarketplaceAutoInstalled: true,
    customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
    projects: isTrusted ? { [workspace]: { hasTrustDialogAccepted: true } } : {},
    ...more,
  };
  writeFileSync(join(root, 'config/.claude.json'), JSON.stringify(settings));
}

/** Puts the real agent of a version on the path, with settings as after its first start. */
export function installAgent(root: string, version: string, isTrusted: boolean): void {
  symlinkSync(agentProgram(version), join(root, 'bin/claude'));
  seed(root, isTrusted);
}
