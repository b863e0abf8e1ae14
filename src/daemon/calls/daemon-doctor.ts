import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { knownAgents } from '../../agent/known.ts';
import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { LIMITS } from '../../base/limits.ts';
import { isNodeSupported, NODE_NEEDED } from '../../base/node-version.ts';
import { PROGRAM_PATH } from '../../terminal/programs.ts';
import { configCheck } from '../config/check.ts';
import { agentCheck } from '../gate/hook-probe.ts';
import { journalCheck } from '../journal/doctor.ts';
import type { Parts } from '../serve/parts.ts';

type Check = CallOutput<'daemon.doctor'>['checks'][number];

/** With less space the next journal page may not fit. */
const FREE_BYTES_MIN = 100 * 1024 * 1024;

/** Checks everything that the daemon needs. */
export async function daemonDoctor(
  parts: Parts,
  { path }: HandlerInput<'daemon.doctor'>,
): Promise<CallOutput<'daemon.doctor'>> {
  const { state } = parts.config;
  const { clock, hookProgram } = parts;
  const checked = [];
  for (const agent of knownAgents(parts.agents))
    checked.push(await agentCheck({ state, clock, hookProgram, path }, agent));
  const programs = ['sh', 'sleep', 'mkfifo', 'sync', 'mv'].map((name) => program(name, true));
  return {
    checks: [
      node(),
      sqlite(),
      ...programs,
      program('tmux', false),
      program('fallocate', false),
      folder(state),
      space(state),
      configCheck(parts.liveConfig.state()),
      orphans(parts),
      await journalCheck(state, clock),
      { name: 'memory caps', ok: true, detail: (await parts.memoryCap()).detail },
      ...checked,
      ...noticeChecks(parts),
      ...otelChecks(parts),
    ],
  };
}

function node(): Check {
  const ok = isNodeSupported(process.version);
  return {
    name: 'node',
    ok,
    detail: `${process.execPath} ${process.version}`,
    ...(!ok && { hint: `${NODE_NEEDED} is needed.` }),
  };
}

function sqlite(): Check {
  const db = new DatabaseSync(':memory:');
  try {
    return { name: 'sqlite', ok: true, detail: String(db.prepare('SELECT sqlite_version() AS v').get()?.v) };
  } finally {
    db.close();
  }
}

function program(name: string, needed: boolean): Check {
  const path = PROGRAM_PATH.split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable);
  if (path !== undefined) return { name, ok: true, detail: path };
  const what = name === 'tmux' ? 'sessions in tmux do not work' : 'old output is not freed';
  return {
    name,
    ok: !needed,
    detail: needed ? 'missing' : `missing: ${what}`,
    hint: `Install ${name} with your package manager.`,
  };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function folder(state: string): Check {
  const mode = statSync(state).mode & 0o777;
  const bytes = Buffer.byteLength(join(state, 'daemon.sock'));
  const ok = mode === 0o700 && bytes <= LIMITS.socketPathBytesMax;
  return {
    name: 'state folder',
    ok,
    detail: `${state} (mode ${mode.toString(8)})`,
    ...(!ok && { hint: 'It must be mode 700.' }),
  };
}

function space(state: string): Check {
  const { bavail, bsize } = statfsSync(state);
  const ok = bavail * bsize > FREE_BYTES_MIN;
  const detail = `${Math.floor((bavail * bsize) / 1024 ** 2)} MB free`;
  return {
    name: 'disk space',
    ok,
    detail,
    ...(!ok && { hint: 'Free some disk space: nothing can be accepted on a full disk.' }),
  };
}

function orphans({ orphansEnded }: Parts): Check {
  const count = orphansEnded();
  const many = count === 1 ? '1 process of ended sessions was' : `${count} processes of ended sessions were`;
  return { name: 'orphans', ok: true, detail: `${many} found and ended since the daemon started` };
}

function noticeChecks({ notices }: Parts): Check[] {
  return notices.status().map(({ name, behind, failed, lastError }) => ({
    name: `notice ${name}`,
    ok: failed === 0,
    detail: lastError ?? (behind === 0 ? 'all delivered' : `${behind} events behind`),
    ...(failed > 0 && { hint: `${failed} given up; see docs/config.md.` }),
  }));
}

function otelChecks({ otel }: Parts): Check[] {
  const status = otel().status();
  if (status === null) return [];
  const { endpoint, behind, dropped, lastError } = status;
  const ok = lastError === null && dropped === 0;
  const lost = dropped === 0 ? [] : [`${dropped} spans given up`];
  const now = lastError ?? (behind === 0 ? 'all sent' : `${behind} events behind`);
  return [
    {
      name: 'opentelemetry',
      ok,
      detail: [`${endpoint}: ${now}`, ...lost].join(', '),
      ...(!ok && { hint: 'See docs/guides/metrics.md.' }),
    },
  ];
}
