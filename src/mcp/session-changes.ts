import { CONTRACT } from '../api/contract.ts';
import { ROUTES } from '../api/routes.ts';
import { asData, firstOf } from './data.ts';
import { strictly } from './strict.ts';
import { tool } from './tool.ts';
import { oneLine } from './words.ts';

const { session, turn, sinceTurn, stat } = CONTRACT['session.changes'].input.shape;

/** `session_changes`: which files an agent session has changed. */
export const sessionChanges = tool({
  name: 'session_changes',
  title: 'Read changes',
  description: `${ROUTES['session.changes'].sentence} Without a turn: since its start.`,
  grants: ['read'],
  operations: ['session.changes'],
  input: strictly({ session, turn, sinceTurn, stat }),
  async run(input, { outlast, signal }) {
    const { files, moreFiles, additions, deletions, diff, cut, notCovered, root } = await outlast.changes(
      input,
      signal,
    );
    const details = { root, additions, deletions, files: files.length + moreFiles, notCovered };
    if (files.length === 0) return { text: 'Nothing has changed.', details };
    const list = files.map(
      (file) => `${file.status} ${oneLine(file.path, 500)} +${file.additions ?? '?'} -${file.deletions ?? '?'}`,
    );
    const { text, leftOutChars } = firstOf([...list, '', diff].join('\n').trimEnd());
    const missing = [
      ...(leftOutChars > 0 ? [`[cut: ${leftOutChars} characters are missing at the end; ask for one turn]`] : []),
      ...(cut === null ? [] : [`[${cut}]`]),
      ...(notCovered.length === 0 ? [] : [`[not compared: ${notCovered.length} files]`]),
    ];
    return { text: [...missing, asData(text, input.session)].join('\n'), details };
  },
});
