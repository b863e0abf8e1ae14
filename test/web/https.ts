import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';

// https for tests: a certificate of our own, and a proxy that ends TLS and passes on what it gets, as people put one in
// front of the page.

/** A certificate for names of this machine, and its key. */
export interface OwnCertificate {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  /** Makes Chromium trust it. */
  readonly flag: string;
}

/** Makes a certificate for loopback and more addresses. */
export function makeCertificate(folder: string, ...addresses: string[]): OwnCertificate {
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const names = ['DNS:localhost', 'IP:127.0.0.1', ...addresses.map((each) => `IP:${each}`)];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const more = ['-subj', '/CN=outlast test', '-addext', `subjectAltName=${names.join(',')}`];
  execFileSync('openssl', ['req', ...kind, ...more, '-keyout', keyFile, '-out', certFile], { stdio: 'pipe' });
  const cert = readFileSync(certFile, 'utf8');
  const key = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
  const flag = `--ignore-certificate-errors-spki-list=${createHash('sha256').update(key).digest('base64')}`;
  return { certFile, keyFile, cert, flag };
}

/** A proxy with TLS on loopback, in front of a port. */
export class TlsProxy implements AsyncDisposable {
  readonly #server: Server;
  #port = 0;

  constructor({ certFile, keyFile }: OwnCertificate, to: () => number) {
    this.#server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (asked, answer) => {
      const headers = { ...asked.headers, 'x-forwarded-proto': 'https' };
      const passed = request({ host: '127.0.0.1', port: to(), path: asked.url, method: asked.method, headers });
      passed.on('response', (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(answer);
      });
      passed.on('error', () => answer.destroy());
      asked.pipe(passed);
    });
    this.#server.on('upgrade', (asked, socket, head) => {
      const lines = asked.rawHeaders.flatMap((word, i, all) => (i % 2 === 0 ? [`${word}: ${all[i + 1]}`] : []));
      const onward = connect(to(), '127.0.0.1', () => {
        onward.write(`GET ${asked.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
        onward.write(head);
        socket.pipe(onward).pipe(socket);
      });
      socket.on('error', () => onward.destroy());
      onward.on('error', () => socket.destroy());
    });
  }

  get port(): number {
    return this.#port;
  }

  /** Starts it; returns its origin. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const bound = this.#server.address();
    this.#port = typeof bound === 'object' && bound !== null ? bound.port : 0;
    return `https://localhost:${this.#port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
