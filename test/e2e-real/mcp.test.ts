import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentIsHere, agentVersions } from '../../scripts/agents.ts';
import { makeWorld } from '../world.ts';
import { type ClaudeWorld, claudeWorld } from './claude-world.ts';
import { linesOf, toolResults } from './printed.ts';
import type { Step } from './story.ts';

const BIN = join(import.meta.dirname, '../../bin/outlast.cjs');

const prompt = (...steps: Step[]): string => `Please do this: SCRIPT${JSON.stringify({ steps })}SCRIPT`;
const call = (name: string, input: Record<string, unknown>): Step => ({ tool: `mcp__outlast__${name}`, input });

/** The options that give Claude Code the MCP server of Outlast, and no other. */
function withServer(world: ClaudeWorld, env: NodeJS.ProcessEnv): { extra: string[] } {
  const file = join(world.root, 'mcp.json');
  const { OUTLAST_STATE, OUTLAST_CONFIG } = env;
  const outlast = { command: process.execPath, args: [BIN, 'mcp'], env: { OUTLAST_STATE, OUTLAST_CONFIG } };
  writeFileSync(file, JSON.stringify({ mcpServers: { outlast } }));
  return { extra: ['--mcp-config', file, '--strict-mcp-config'] };
}

for (const version of agentVersions()) {
  const isLeftOut = !agentIsHere(version) && process.env.CI !== 'true';
  describe.skipIf(isLeftOut)(`Claude Code ${version}`, { timeout: 90_000 }, () => {
    test('runs commands, delegates to another agent and reads the results', async () => {
      await using outlast = await makeWorld();
      await using world = await claudeWorld({ version });
      const asked = prompt(
        call('exec', { command: 'echo from the shell; exit 3' }),
        call('exec', { command: 'echo begun; sleep 600', name: 'server', background: true }),
        call('session_start', { agent: 'scripted', name: 'helper', prompt: 'say hello' }),
        call('session_wait', { session: 'helper', for: 'reply' }),
        call('process', { action: 'kill', sessionId: 'server' }),
        call('exec', { command: 'true', colour: 'red' }),
        { text: 'all done' },
      );
      const conversation = { is: 'new', id: randomUUID() } as const;
      const run = await world.turn(asked, conversation, withServer(world, outlast.env));
      const [shell, background, started, reply, killed, wrong] = toolResults(linesOf(run.output));
      expect(shell).toMatch(
        /<data from="\w+" mark="\w+">\nfrom the shell\n<\/data mark="\w+">\n\n\(Command exited with code 3\)/,
      );
      expect(background).toContain('Command still running');
      expect(started).toContain('Started session');
      expect(reply).toContain('You said: say hello');
      expect(killed).toContain('stopped by mcp');
      expect(wrong).toContain('unknown argument "colour"');
      expect(run.output).toContain('all done');
      const { sessions } = await outlast.client.list({ limit: 10 });
      expect(sessions.find(({ name }) => name === 'helper')?.phase).toBe('idle');
    });
  });
}
