import { fs, path } from '../../client/node.ts';
import { beside } from '../base/beside.ts';
import { type Command, command, NO_WORDS } from '../base/command.ts';
import { parseDuration } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { openBrowser } from '../web/open.ts';
import { deviceLines, ours, readyLines, type Served } from '../web/words.ts';

const GRANTS_ARE = 'GRANTS: read, prompt, exec, approve, admin.';

/** `outlast web` */
export const web = command({
  name: 'web',
  summary: 'Serve the web page, and sign in the browser of this machine.',
  usage: 'web [OPTIONS]',
  words: {
    ...NO_WORDS,
    are: [
      'Listens on loopback, and prints a link that works once, for a minute. Ctrl-C stops it; sessions keep running.',
      'The port is kept, because browsers keep their key for it. When it runs already, it only prints a link.',
      GRANTS_ARE,
    ].join('\n'),
  },
  options: {
    port: { type: 'string', value: 'PORT', sentence: 'The port; it is kept for later.', otherwise: '7717' },
    allow: { type: 'string', value: 'GRANTS', sentence: 'What the link of this machine gives.', otherwise: 'all' },
    'no-open': { type: 'boolean', sentence: 'Open no browser.' },
    service: { type: 'boolean', sentence: 'For a service manager: print no link, and open no browser.' },
    host: {
      type: 'string',
      value: 'NAME[:PORT]',
      multiple: true,
      sentence: 'A name of an https proxy that leads here, such as that of Tailscale Serve.',
    },
    listen: { type: 'string', value: 'ADDRESS', sentence: 'Also listen there; needs TLS or --behind-proxy.' },
    'behind-proxy': { type: 'boolean', sentence: 'Only a proxy with TLS can reach that address.' },
    'tls-cert': { type: 'string', value: 'FILE', sentence: 'Serve https with this certificate.' },
    'tls-key': { type: 'string', value: 'FILE', sentence: 'Its private key.' },
  },
  examples: [
    ['outlast web', 'Serve the page, and open it.'],
    ['outlast web link', 'A link for the phone, while it is served.'],
    ['outlast web --host desk.tail1234.ts.net', 'Behind `tailscale serve 7717`.'],
  ],
  async run({ env, values, print, json }) {
    const { serveWeb } = await served();
    const over = new AbortController();
    const leave = (): void => over.abort();
    process.on('SIGINT', leave).on('SIGTERM', leave);
    const serving = serveWeb({
      ...{ env, allow: values.allow, page: pageFolder(), signal: over.signal },
      ...{ port: values.port, listen: values.listen, behindProxy: values['behind-proxy'], hosts: values.host },
      ...{ tlsCert: values['tls-cert'], tlsKey: values['tls-key'], isService: values.service },
      onReady: (ready) => {
        if (json) return void print.json(ready);
        for (const line of readyLines(ready)) void print.line(line);
        if (!values['no-open'] && ready.link !== null) openBrowser(ready.link.url, env, over.signal);
      },
    });
    const wrong = await ours(serving);
    if (wrong !== null) throw wrongCall(`web: ${wrong}`);
    return EXIT.fine;
  },
});

/** `outlast web link` */
export const webLink: Command = command({
  name: 'web link',
  summary: 'Print a link that signs one more browser in, such as that of a phone.',
  usage: 'web link [OPTIONS]',
  words: { ...NO_WORDS, are: `The link works once. ${GRANTS_ARE}` },
  options: {
    allow: { type: 'string', value: 'GRANTS', sentence: 'What it gives.', otherwise: 'read,prompt,approve' },
    for: { type: 'string', value: 'DURATION', sentence: 'How long it works, at most 5m.', otherwise: '1m' },
  },
  examples: [
    ['outlast web link', 'A link for the phone.'],
    ['outlast web link --allow read', 'For a browser that only watches.'],
  ],
  async run({ env, values, print, json }) {
    const { linkOf } = await served();
    const link = await ours(linkOf(env, values.allow, parseDuration('--for', values.for ?? '1m')));
    await (json ? print.json(link) : print.line(link.url));
    return EXIT.fine;
  },
});

/** `outlast web devices` */
export const webDevices: Command = command({
  name: 'web devices',
  summary: 'List the browsers that are signed in.',
  usage: 'web devices',
  words: NO_WORDS,
  options: {},
  examples: [['outlast web devices', 'Who is signed in, with which grants, and when each was last seen.']],
  async run({ env, clock, print, json }) {
    const { devicesOf } = await served();
    const devices = await ours(devicesOf(env));
    if (json) await print.json({ devices });
    else for (const line of deviceLines(devices, clock.wallMs())) await print.line(line);
    return EXIT.fine;
  },
});

/** `outlast web revoke` */
export const webRevoke: Command = command({
  name: 'web revoke',
  summary: 'Sign a browser out, at once and for good.',
  usage: 'web revoke DEVICE',
  words: { min: 1, max: 1, are: 'DEVICE is the name of a device, its id, or the beginning of its id.' },
  options: {},
  examples: [['outlast web revoke "Firefox on Android"', 'Its open pages end within a second.']],
  async run({ env, words: [word = ''], print, json }) {
    const { revokeDevice } = await served();
    const { id, name } = await ours(revokeDevice(env, word));
    await (json ? print.json({ id, name }) : print.line(`Revoked ${name}.`));
    return EXIT.fine;
  },
});

async function served(): Promise<Served> {
  return (await import(beside(import.meta.dirname, 'web.js', '../../web/main.ts'))) as Served;
}

/** The built page: beside this bundle, or in `dist` of the source tree. */
function pageFolder(): string {
  const places = ['page', '../../../dist/page'].map((each) => path.join(import.meta.dirname, each));
  return places.find((place) => fs.existsSync(path.join(place, 'index.html'))) ?? places[0] ?? '';
}
