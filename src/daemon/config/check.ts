import type { CallOutput } from '../../api/contract.ts';
import type { ConfigState } from './live.ts';

/** The line of `outlast doctor` about the config in use. */
export function configCheck({
  file,
  fault,
  unread,
  waiting,
}: ConfigState): CallOutput<'daemon.doctor'>['checks'][number] {
  const name = 'config in use';
  if (fault !== null)
    return {
      name,
      ok: false,
      detail: `the next daemon would not start: ${fault}`,
      hint: 'Run `outlast config check`.',
    };
  if (unread.length + waiting.length === 0) return { name, ok: true, detail: 'unchanged since it was read' };
  const detail = `${file} was edited, but the daemon has not reloaded it: ${[...unread, ...waiting].join(', ')}`;
  const restart = 'Run `outlast daemon restart`. Sessions keep running.';
  return { name, ok: false, detail, hint: waiting.length > 0 ? restart : 'Run `outlast config reload`.' };
}
