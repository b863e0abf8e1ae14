import * as z from 'zod';

// OpenClaw redacts arguments that are named `session`.

type Fields = Readonly<Record<string, unknown>>;

/** A shape that accepts `sessionId` instead of `session`. */
export function withSessionId(shape: z.ZodRawShape): z.ZodRawShape {
  const { session } = shape;
  if (!(session instanceof z.ZodType)) return shape;
  const said = session.optional();
  return {
    ...shape,
    session: session.description === undefined ? said : said.describe(session.description),
    sessionId: z.string().optional().describe('Same as `session`.'),
  };
}

/** The arguments as the tool expects them, or what is wrong with them. */
export function sessionOf(
  { name, input }: { readonly name: string; readonly input: z.ZodRawShape },
  { sessionId, ...given }: Fields,
): Fields | string {
  const { session } = input;
  if (!(session instanceof z.ZodType)) return sessionId === undefined ? given : { ...given, sessionId };
  if (given.session !== undefined && sessionId !== undefined && given.session !== sessionId)
    return `${name}: session and sessionId name two sessions; pass one`;
  const meant = given.session ?? sessionId;
  if (meant !== undefined) return { ...given, session: meant };
  return session.safeParse(undefined).success ? given : `${name}: session is missing`;
}
