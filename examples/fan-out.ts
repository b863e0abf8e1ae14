import { connect } from 'outlast';

// Many prompts, at most three at once. With the key, a second run finds the sessions of the first: what was answered is
// not asked again, and what was interrupted is waited for.
const outlast = connect();
const parts = ['api', 'web', 'docs'].map((part) => ({
  agent: process.env.OUTLAST_AGENT ?? '',
  prompt: `Check ${part}.`,
}));

const results = await outlast.fanOut(parts, {
  concurrency: 3,
  key: process.argv[2] ?? 'weekly-check',
  onResult: ({ index, error }) => console.error(`${index} is done${error ? `: ${error.message}` : ''}`),
});
for (const { index, session, replied } of results) console.log(index, session?.id, replied?.reply);
outlast.close();
