import { connect } from 'outlast';

// One session, several prompts. The session has the conversation; nothing has to be kept here.
const outlast = connect();
const session = await outlast.start({ agent: process.env.OUTLAST_AGENT ?? '' });

const first = await session.converse('Write down three ideas.');
console.log(first.reply);
const second = await session.converse('Take the best one.', { timeoutMs: 600_000 });
console.log(second.met === 'answered' ? second.reply : `no reply: ${second.met}`);

await session.stop();
for await (const event of session.events()) console.log(event.event);
outlast.close();
