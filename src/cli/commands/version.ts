import { command, NO_WORDS } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { version as versionOf } from '../base/version.ts';

/** `outlast version` */
export const version = command({
  name: 'version',
  summary: 'Print the version.',
  usage: 'version',
  words: { ...NO_WORDS, are: 'The version of the running daemon is in `outlast daemon status`.' },
  options: {},
  examples: [['outlast version', 'Same as outlast --version.']],
  async run({ json, print }) {
    await (json ? print.json({ version: versionOf() }) : print.line(versionOf()));
    return EXIT.fine;
  },
});
