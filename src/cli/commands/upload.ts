import { UPLOAD_LIMITS } from '../../api/upload-limits.ts';
import { errnoOf } from '../../base/errors.ts';
import { causeText } from '../../base/system-errors.ts';
import { fs, path } from '../../client/node.ts';
import { command, SESSION } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';

const MB = 1024 * 1024;

/** `outlast upload` */
export const upload = command({
  name: 'upload',
  summary: 'Put files into the folder of an agent session.',
  usage: 'upload S FILE... [OPTIONS]',
  words: {
    min: 2,
    max: Number.POSITIVE_INFINITY,
    are: [
      `${SESSION} FILE is copied; at most ${UPLOAD_LIMITS.fileBytesMax / MB} MB.`,
      'Prints the path of each copy. The copies are removed with the session.',
    ].join('\n'),
  },
  completes: 'session',
  options: {},
  examples: [
    ['outlast upload api build.log', 'Then name the printed path in a prompt.'],
    ['outlast prompt api "see $(outlast upload api build.log)"', 'In one line. Images: `outlast prompt --image`.'],
  ],
  async run(context) {
    const { words, json, print } = context;
    const [id = '', ...files] = words;
    const read = files.map((file) => ({ name: path.basename(file), content: contentOf(file) }));
    const session = context.connect().session(id);
    for (const { name, content } of read) {
      const copy = await session.upload({ name, content });
      await (json ? print.json({ name, path: copy }) : print.line(copy));
    }
    return EXIT.fine;
  },
});

function contentOf(file: string): Buffer {
  try {
    const stat = fs.statSync(file);
    if (!stat.isFile()) throw wrongCall(`upload: ${file} is not a file; name the files in it`);
    if (stat.size > UPLOAD_LIMITS.fileBytesMax)
      throw wrongCall(
        `upload: ${file} has more than ${UPLOAD_LIMITS.fileBytesMax / MB} MB; make it smaller, or name its path`,
      );
    return fs.readFileSync(file);
  } catch (error) {
    if (errnoOf(error) === '') throw error;
    throw wrongCall(`upload: cannot read ${file}: ${causeText(error)}`);
  }
}
