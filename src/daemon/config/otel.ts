import * as z from 'zod';
import { headerName, headerValue, isInlineSecret, plainUrl, secretFile } from './notices.ts';

/** What is sent to OpenTelemetry. */
export const configOtel = z.strictObject({
  endpoint: plainUrl
    .optional()
    .describe('Where a collector accepts OTLP over HTTP, such as `http://127.0.0.1:4318`. Without it nothing is sent.'),
  headers: z
    .record(headerName, z.union([headerValue, z.strictObject({ file: secretFile })]))
    .refine((headers) => !Object.entries(headers).some(isInlineSecret), 'a secret belongs in a file: { "file": PATH }')
    .default({})
    .describe('Headers of each request: a text, or { "file": PATH } for a secret.'),
  content: z
    .boolean()
    .default(false)
    .describe('Whether prompts, replies, inputs of tool calls, errors and folders are sent too.'),
  resource: z
    .record(z.string().regex(/^[\w.-]{1,64}$/), z.string().max(256))
    .default({})
    .describe('Attributes of this host, such as `{ "deployment.environment.name": "production" }`.'),
  metricsMs: z
    .number()
    .int()
    .min(0)
    .max(3_600_000)
    .default(60_000)
    .describe('How often metrics are sent; 0: only traces are.'),
  timeoutMs: z
    .number()
    .int()
    .min(100)
    .max(600_000)
    .default(10_000)
    .describe('Time limit of a try to send, with the pause that the collector asks for.'),
});
