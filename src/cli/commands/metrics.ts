import { metricsText } from '../../present/open-metrics.ts';
import { type Context, command, NO_WORDS } from '../base/command.ts';
import { countOf } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { serveMetrics } from '../metrics/serve.ts';

const FORMATS = ['openmetrics', 'prometheus'] as const;
/** No exporter that is registered with Prometheus uses it. */
const PORT = 9489;
const PORT_MAX = 65_535;

const OPTIONS = {
  format: {
    type: 'string',
    value: 'FORMAT',
    sentence: 'The text: openmetrics, or prometheus for older scrapers.',
    otherwise: 'openmetrics',
    completes: FORMATS,
  },
  listen: {
    type: 'string',
    value: 'PORT',
    optional: /^\d+$/,
    sentence: `Serve them at http://127.0.0.1:PORT/metrics; default port: ${PORT}, 0: a free one.`,
  },
} as const;

/** `outlast metrics` */
export const metrics = command({
  name: 'metrics',
  summary: 'Print metrics for Prometheus, or serve them.',
  usage: 'metrics [OPTIONS]',
  words: {
    ...NO_WORDS,
    are: [
      'Counts of what happened on this host, and how it is now. No metric has an id, a name, a path or a text.',
      'With --listen it serves scrapers on this machine until it is ended; nobody else can connect.',
      'A daemon is not started for it.',
    ].join('\n'),
  },
  options: OPTIONS,
  examples: [
    ['outlast metrics | grep attention', 'What needs a person.'],
    ['outlast metrics --listen', `For Prometheus on this machine: the target is 127.0.0.1:${PORT}.`],
    [
      'outlast metrics --format prometheus > /var/lib/node_exporter/outlast.prom',
      'For the textfile collector of the node exporter.',
    ],
  ],
  run: runMetrics,
});

async function runMetrics(context: Context<typeof OPTIONS>): Promise<number> {
  const { values, json, print, connect } = context;
  const format = FORMATS.find((each) => each === (values.format ?? 'openmetrics'));
  if (format === undefined) throw wrongCall(`metrics: --format is one of ${FORMATS.join(', ')}`);
  if (values.listen !== undefined) return listen(context);
  const { families } = await connect({ start: false }).metrics();
  if (json) await print.json({ families });
  else await print.text(metricsText(families, format));
  return EXIT.fine;
}

async function listen({ values, json, print, connect }: Context<typeof OPTIONS>): Promise<number> {
  if (values.format !== undefined) throw wrongCall('metrics: with --listen each scraper asks for the text it wants');
  const port = values.listen === '' ? PORT : (countOf('--listen', values.listen) ?? PORT);
  if (port > PORT_MAX) throw wrongCall(`metrics: --listen is a port, from 0 to ${PORT_MAX}`);
  const outlast = connect({ start: false, tell: () => {} });
  const over = new AbortController();
  const leave = (): void => over.abort();
  process.on('SIGINT', leave).on('SIGTERM', leave);
  await serveMetrics({
    port,
    read: async (signal) => (await outlast.metrics(signal)).families,
    onReady: (url) => void (json ? print.json({ url }) : print.line(`Listening at ${url}.`)),
    signal: over.signal,
  });
  return EXIT.fine;
}
