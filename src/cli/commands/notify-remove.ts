import { command } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { oneLine } from '../base/print.ts';

/** `outlast notify remove` */
export const notifyRemove = command({
  name: 'notify remove',
  summary: 'Remove a notice, and the secret that was stored for it.',
  usage: 'notify remove NAME',
  words: {
    min: 1,
    max: 1,
    are: 'The rest of the config file stays as it is, and so does a secret in a file of your own.',
  },
  options: {},
  examples: [['outlast notify remove slack', 'Nothing more is sent there.']],
  async run({ words: [name = ''], json, print, connect }) {
    const outlast = connect();
    const removed = await outlast.removeNotice(name);
    if (json) {
      await print.json(removed);
      return EXIT.fine;
    }
    await print.line(`Removed the notice ${oneLine(removed.name)} from ${oneLine(removed.file)}.`);
    if (removed.secretFile !== null) await print.line(`Deleted its secret: ${oneLine(removed.secretFile)}`);
    const { notices } = await outlast.notices();
    if (notices.some(({ isDefault }) => isDefault))
      await print.line(
        'With no notice left, the desktop is used. To turn that off: outlast config set announce.desktop off',
      );
    return EXIT.fine;
  },
});
