import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { CallInput } from '../../api/contract.ts';
import { operationAt, valuesOf } from '../../api/match.ts';
import { PAGE_PATHS } from '../../api/page-shape.ts';
import { type OperationName, ROUTES } from '../../api/routes.ts';
import { OutlastError } from '../../base/errors.ts';
import type { Outlast } from '../../client/index.ts';
import type { Device } from '../sign-in/devices.ts';
import { bodyOf } from './exchange.ts';
import { filled, type OwnFields } from './fill.ts';
import { type Insiders, insideRefused } from './inside.ts';
import { refuseUngranted } from './rights.ts';

/** What calls need. */
export interface CallParts {
  readonly outlast: Outlast;
  readonly insiders: Insiders;
  /** The process, environment and umask of the server. */
  readonly own: () => Omit<OwnFields, 'by'>;
}

/** A call of a device. */
interface Asked {
  readonly device: Device;
  readonly name: OperationName;
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** Carries out the operation of a request, if the device may. */
export async function answerCall(
  parts: CallParts,
  request: IncomingMessage,
  device: Device,
  signal: AbortSignal,
): Promise<unknown> {
  const [path = '', query = ''] = (request.url ?? '').slice(PAGE_PATHS.api.length).split('?');
  const { name, parameters } = operationAt(request.method ?? 'GET', path);
  if (ROUTES[name].kind === 'stream')
    throw new OutlastError('input_invalid', `${name} is a stream: open it on ${PAGE_PATHS.live}`);
  const given = request.method === 'POST' ? await bodyOf(request) : valuesOf(query);
  const input = { ...given, ...parameters };
  if (ROUTES[name].does !== 'reads') await refuseInside(parts, request.socket, { device, name, input, signal });
  return callAs(parts, { device, name, input, signal });
}

/** Carries out an operation in the name of a device. */
export async function callAs(parts: CallParts, { device, name, input, signal }: Asked): Promise<unknown> {
  const whole = filled(name, input, { ...parts.own(), by: actorName(device) });
  await refuseUngranted(parts.outlast, device.grants, name, input);
  // The device may have been revoked since it began: a body comes as slowly as its sender likes.
  signal.throwIfAborted();
  return parts.outlast.transport.call(name, whole as CallInput<typeof name>, signal);
}

/** How a device is named in the journal. */
export function actorName({ name }: Pick<Device, 'name'>): string {
  return `${name} (web)`;
}

/** Refuses what comes from inside a session. An answer about a call of that session also becomes its event. */
async function refuseInside(parts: CallParts, socket: Socket, asked: Asked): Promise<void> {
  const { outlast, insiders } = parts;
  const peer = await insiders.find(socket);
  if (peer === null) return;
  if (asked.name === 'approval.decide') {
    const about = await outlast.approvals.list();
    const mine = about.find(({ id, session }) => id === asked.input.which && session === peer.session.id);
    const input = { which: mine?.id ?? '', allow: false, by: actorName(asked.device), caller: peer.caller };
    // The daemon refuses it, as it refuses this process on its own socket, and records that.
    if (mine !== undefined) await outlast.transport.call('approval.decide', input, asked.signal);
  }
  throw insideRefused(peer, `call ${asked.name}`);
}
