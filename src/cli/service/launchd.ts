import { path } from '../../client/node.ts';
import { type Argv, type Facts, MARK, type Plan } from './plan.ts';

/** An agent of launchd, for one user of a Mac. */
export function launchdPlan(facts: Facts): Plan {
  const label = `outlast.daemon${facts.suffix}`;
  const file = path.join(facts.home, 'Library', 'LaunchAgents', `${label}.plist`);
  const domain = `gui/${facts.uid}`;
  const target: Argv = ['launchctl', 'print', `${domain}/${label}`];
  return {
    starter: 'launchd',
    files: [{ path: file, text: agentText(facts, label) }],
    links: [],
    table: null,
    start: [
      ['launchctl', 'bootstrap', domain, file],
      ['launchctl', 'kickstart', `${domain}/${label}`],
    ],
    stop: [['launchctl', 'bootout', `${domain}/${label}`]],
    last: [],
    isActive: target,
    bring: ['launchctl', 'kickstart', `${domain}/${label}`],
    says: [
      'launchd starts this when you log in.',
      'Only the text of this file is tested: it was not run on a Mac for this release.',
    ],
  };
}

function agentText({ node, daemon, env, state }: Facts, label: string): string {
  const variables = Object.entries(env).map(([name, value]) => `    ${tag('key', name)}${tag('string', value)}`);
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    `<!-- ${MARK} -->`,
    '<plist version="1.0">',
    '<dict>',
    `  ${tag('key', 'Label')}${tag('string', label)}`,
    `  ${tag('key', 'ProgramArguments')}`,
    `  <array>${[node, daemon, '--wait'].map((word) => tag('string', word)).join('')}</array>`,
    `  ${tag('key', 'EnvironmentVariables')}`,
    '  <dict>',
    ...variables,
    '  </dict>',
    `  ${tag('key', 'RunAtLoad')}<true/>`,
    '  <!-- Restarted after a crash, not after "outlast daemon stop". -->',
    `  ${tag('key', 'KeepAlive')}<dict>${tag('key', 'SuccessfulExit')}<false/></dict>`,
    '  <!-- Sessions keep running when the daemon ends. -->',
    `  ${tag('key', 'AbandonProcessGroup')}<true/>`,
    `  ${tag('key', 'ProcessType')}${tag('string', 'Interactive')}`,
    `  ${tag('key', 'Umask')}<integer>63</integer>`,
    `  ${tag('key', 'StandardErrorPath')}${tag('string', path.join(state, 'daemon.log'))}`,
    '</dict>',
    '</plist>',
  ].join('\n')}\n`;
}

function tag(name: string, text: string): string {
  const plain = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<${name}>${plain}</${name}>`;
}
