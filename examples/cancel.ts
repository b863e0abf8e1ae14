import { connect } from 'outlast';

// Whoever waits can give up at any time. That ends the wait, not the session, unless `stop` says so.
const outlast = connect();
const patience = AbortSignal.timeout(Number(process.argv[2] ?? 5_000));

try {
  const prompt = process.argv[3] ?? 'Think about it for a long time.';
  await outlast.fanOut([{ agent: process.env.OUTLAST_AGENT ?? '', prompt, name: 'slow' }], {
    signal: patience,
    stop: true,
  });
  console.log('answered in time');
} catch (error) {
  if (!patience.aborted) throw error;
  const { session } = await outlast.session('slow').wait({ for: 'ended' });
  console.log('given up;', session.outcome?.kind);
}
outlast.close();
