import { CONTRACT } from '../../api/contract.ts';
import type { OperationName } from '../../api/routes.ts';
import { OutlastError } from '../../base/errors.ts';

type Input = Readonly<Record<string, unknown>>;

/** What the server says itself: who acts, from which process, and in which environment. */
export interface OwnFields {
  readonly by: string;
  readonly caller: unknown;
  readonly env: Readonly<Record<string, string>>;
  readonly umask: number;
}

const OWN = ['by', 'caller', 'env', 'umask'] as const satisfies readonly (keyof OwnFields)[];
/** With `owner`, a reader that leaves moves the session to the background. */
const NOT_FOR_PAGES: { readonly [N in OperationName]?: readonly string[] } = {
  'session.follow': ['owner'],
  'session.reply': ['owner'],
};

/** The input of a page, with what the server says itself. Refuses a page that says it. */
export function filled(name: OperationName, input: Input, own: OwnFields): Record<string, unknown> {
  refuseForged(input, [...OWN, ...(NOT_FOR_PAGES[name] ?? [])], '');
  const top = { ...input, ...ownIn(name, own) };
  if (!isObject(input.start)) return top;
  refuseForged(input.start, OWN, 'start.');
  return { ...top, start: { ...input.start, ...ownIn('session.start', own) } };
}

function ownIn(name: OperationName, own: OwnFields): Partial<OwnFields> {
  const { shape } = CONTRACT[name].input as { readonly shape: object };
  return Object.fromEntries(OWN.filter((key) => key in shape).map((key) => [key, own[key]]));
}

function refuseForged(input: Input, fields: readonly string[], where: string): void {
  const forged = fields.find((key) => Object.hasOwn(input, key));
  if (forged !== undefined)
    throw new OutlastError('input_invalid', `${where}${forged}: a page does not say this; its server does`);
}

function isObject(value: unknown): value is Input {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
