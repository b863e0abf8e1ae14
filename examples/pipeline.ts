import { connect } from 'outlast';

// All steps are with the daemon at once; each begins when the one before has answered, also if this program is gone.
const outlast = connect();
const agent = process.env.OUTLAST_AGENT ?? '';

const replies = await outlast.pipeline([
  { agent, prompt: 'Make a plan.' },
  { agent, prompt: (plan) => `Do this:\n${plan}` },
  { agent, prompt: (work) => `Review what was done:\n${work}` },
]);
console.log(replies.at(-1)?.reply);
outlast.close();
