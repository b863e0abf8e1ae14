import { fs, path } from '../../client/node.ts';
import type { Argv } from '../service/plan.ts';
import { runQuietly } from '../service/run-quietly.ts';
import { type Found, isObject, type Places, readJson, readText } from './found.ts';

/**
 * What agents were told about us: the plugin, MCP servers, the skill. Outlast never edits the settings of an agent: its
 * own command removes what its own command added.
 */
export function agentsFound(places: Places): Found[] {
  return [...pluginFound(places), ...serversFound(places), ...settingsFound(places), ...skillsFound(places)];
}

function pluginFound({ home, env }: Places): Found[] {
  const folder = path.join(env.CLAUDE_CONFIG_DIR || path.join(home, '.claude'), 'plugins');
  const plugins = readJson(path.join(folder, 'installed_plugins.json')).plugins;
  const isInstalled = isObject(plugins) && 'outlast@outlast' in plugins;
  const isKnown = 'outlast' in readJson(path.join(folder, 'known_marketplaces.json'));
  return [
    ...(isInstalled
      ? [byCommand(env, 'the Claude Code plugin', 'claude', 'plugin', 'uninstall', 'outlast@outlast')]
      : []),
    ...(isKnown ? [byCommand(env, 'its marketplace', 'claude', 'plugin', 'marketplace', 'remove', 'outlast')] : []),
  ];
}

function serversFound({ home, env }: Places): Found[] {
  const file = path.join(env.CLAUDE_CONFIG_DIR || home, '.claude.json');
  const settings = readJson(file);
  const found: Found[] = [];
  const words = ['mcp', 'remove', 'outlast', '--scope'];
  if (hasServer(settings.mcpServers))
    found.push(byCommand(env, 'the MCP server in Claude Code', 'claude', ...words, 'user'));
  const projects = isObject(settings.projects) ? Object.entries(settings.projects) : [];
  for (const [folder, project] of projects) {
    if (!isObject(project) || !hasServer(project.mcpServers)) continue;
    const stays = `in ${folder}, run: claude mcp remove outlast --scope local`;
    found.push({ kind: 'agent', what: `the MCP server in Claude Code, for ${folder}`, remove: null, stays });
  }
  const codex = readText(path.join(env.CODEX_HOME || path.join(home, '.codex'), 'config.toml')) ?? '';
  if (/^\[mcp_servers\.outlast\]$/m.test(codex))
    found.push(byCommand(env, 'the MCP server in Codex', 'codex', 'mcp', 'remove', 'outlast'));
  return found;
}

function hasServer(servers: unknown): boolean {
  const { outlast } = isObject(servers) ? servers : {};
  return isObject(outlast) && path.basename(String(outlast.command)) === 'outlast';
}

/** Removes something by a command of its agent, when that is installed. */
function byCommand(env: Places['env'], what: string, ...argv: Argv): Found {
  const line = argv.join(' ');
  const isThere = (env.PATH ?? '').split(path.delimiter).some((folder) => fs.existsSync(path.join(folder, argv[0])));
  if (!isThere) return { kind: 'agent', what, remove: null, stays: `${argv[0]} is not on your PATH; run: ${line}` };
  return {
    kind: 'agent',
    what: `${what} (${line})`,
    remove: () => {
      const { status, stderr, stdout } = runQuietly(argv, env);
      if (status !== 0) throw new Error(`${line} failed (${status}): ${(stderr || stdout).trim()}`);
    },
  };
}

/** Settings that have no command to change them, or one that we never tried. */
function settingsFound({ home, config }: Places): Found[] {
  const files = [
    '.gemini/settings.json',
    '.qwen/settings.json',
    '.copilot/mcp-config.json',
    '.openclaw/openclaw.json',
    '.cursor/mcp.json',
  ].map((name) => path.join(home, name));
  const all = [...files, path.join(config, 'opencode', 'opencode.json'), path.join(config, 'zed', 'settings.json')];
  const named = all.filter((file) => /"outlast"/.test(readText(file) ?? ''));
  return named.map((what) => ({
    kind: 'agent',
    what,
    remove: null,
    stays: 'it names outlast: remove that entry yourself',
  }));
}

function skillsFound({ home, program, env }: Places): Found[] {
  const ours = readText(path.join(program, 'skills', 'outlast', 'SKILL.md'));
  const homes = [
    env.CLAUDE_CONFIG_DIR || path.join(home, '.claude'),
    ...['.agents', '.openclaw'].map((name) => path.join(home, name)),
  ];
  return homes.flatMap((each): Found[] => {
    const file = path.join(each, 'skills', 'outlast', 'SKILL.md');
    const text = readText(file);
    if (text === null) return [];
    const folder = path.dirname(file);
    const isOurs = text === ours && fs.readdirSync(folder).length === 1;
    if (!isOurs)
      return [
        { kind: 'agent', what: folder, remove: null, stays: 'of another version, or changed: remove it yourself' },
      ];
    return [{ kind: 'agent', what: folder, remove: () => fs.rmSync(folder, { recursive: true, force: true }) }];
  });
}
