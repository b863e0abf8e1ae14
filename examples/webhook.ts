import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// What happens to sessions reaches a program that Outlast does not run: this takes the notices of a webhook.
//   node examples/webhook.ts SECRET-FILE [PORT]
const [secretFile = '', port = '8788'] = process.argv.slice(2);
const secret = readFileSync(secretFile, 'utf8').trim();
const taken = new Set<string>();

interface Notice {
  readonly session: string;
  readonly name: string | null;
  readonly event: string;
  readonly read: string;
}

function isSigned(body: Buffer, signature: string): boolean {
  const wanted = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(signature);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const { 'x-outlast-signature': signature, 'x-outlast-delivery': delivery } = request.headers;
  if (!isSigned(body, String(signature))) return void response.writeHead(403).end();
  // A delivery whose answer got lost comes again, under the same name.
  const { notices } = JSON.parse(body.toString()) as { notices: readonly Notice[] };
  if (!taken.has(String(delivery)))
    for (const { name, session, event, read } of notices) console.log(name ?? session, event, read);
  taken.add(String(delivery));
  response.end();
});
server.listen(Number(port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
