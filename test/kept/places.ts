import type { Places } from './relocate.ts';

/** The placeholders for paths in a kept state folder, and their values when it is unpacked here. */
export function keptPlaces(root: string): Places {
  return [
    ['@ROOT@', root],
    // As agents name the folder of a workspace.
    ['@ROOT-NAME@', root.replaceAll(/[^A-Za-z0-9]/g, '-')],
    ['@NODE@', process.execPath],
    ['@BIN@', process.execPath.replace(/\/node$/, '')],
  ];
}
