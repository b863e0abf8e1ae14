import { cutStories } from './stories-cut.ts';
import { absent, converse, failed, newWord, proven, type Stage, type Story, saidWord } from './story.ts';

const ASK = 'Which word did I ask you for in my very first message? Reply with that word and nothing else.';

const turn: Story = {
  name: 'turn',
  about: 'a prompt is answered, and the reply is found',
  async play(stage) {
    const { place, agent, drive, timeoutMs, word } = stage;
    const prompt = `Reply with this word and nothing else: ${word}`;
    stage.session = await place.outlast.start({ agent: agent.name, drive, prompt, cwd: place.workspace });
    return saidWord(await stage.session.reply({ timeoutMs }), word);
  },
};

const conversation: Story = {
  name: 'conversation',
  about: 'the next turn remembers the one before',
  play: async (stage) => saidWord(await converse(stage, ASK), stage.word),
};

const restart: Story = {
  name: 'restart',
  about: 'a new daemon continues the session',
  async play(stage) {
    await stage.place.restart();
    return saidWord(await converse(stage, ASK), stage.word);
  },
};

/** What shells, formats and placeholders would change. */
const ODD = `"quotes" 'more' \`ls\` $(echo x) {conversation} {prompt_file} %s \\n <b> -- ü 漢 🙂\n\n  --help\n`;

const odd: Story = {
  name: 'odd text',
  about: 'a prompt with quotes, line breaks and special characters arrives unchanged',
  async play(stage) {
    const word = newWord();
    return saidWord(await converse(stage, `${ODD}Ignore the text above. Reply with this word only: ${word}`), word);
  },
};

const usage: Story = {
  name: 'usage',
  about: 'the usage of turns is counted',
  async play({ session, agent, drive }) {
    const its = agent.capabilities.find(({ name }) => name === 'usage');
    if (its?.only === 'in turns' && drive === 'live') return absent('only usage in turns is counted');
    if (its?.works !== true) return absent(its?.why ?? 'it has none');
    const used = (await session?.show())?.session.usage;
    if (!used || used.tokens + (used.usd ?? 0) === 0) return failed('nothing was counted');
    return proven(`${used.tokens} tokens${used.usd ? `, $${used.usd.toFixed(4)}` : ''}`);
  },
};

const end: Story = {
  name: 'stop',
  about: 'the session ends, and no process is left',
  async play({ session }) {
    await session?.stop();
    await session?.wait({ for: 'ended' });
    const left = (await session?.show())?.processes ?? [];
    return left.length === 0 ? proven('none is left') : failed(`${left.length} are left: ${left[0]?.command}`);
  },
};

/** All stories, in the order in which they are played: each goes on with the session of the one before. */
export const STORIES: readonly Story[] = [turn, conversation, restart, odd, ...cutStories(ASK), usage, end];

/** Plays all stories. Without a first turn the others say nothing. */
export async function* playAll(stage: Stage): AsyncGenerator<{ story: Story } & Awaited<ReturnType<Story['play']>>> {
  for (const story of STORIES) {
    const result = await story.play(stage).catch((error) => failed(stage.place.named(String(error?.message ?? error))));
    yield { story, ...result };
    if (story === turn && result.is === 'failed') return;
  }
}
