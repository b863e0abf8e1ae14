// The texts for pictures and files that go with a prompt.

export const ATTACH_STRINGS = {
  pick: 'Add pictures or files',
  list: 'Pictures and files of this prompt',
  remove: (name: string): string => `Remove ${name}`,
  sending: (name: string): string => `${name} is being sent`,
  again: 'Try again',
  tooLarge: (mb: number): string => `larger than ${mb} MB; make it smaller`,
  empty: 'empty',
  sayWhat: 'Say what to do with it',
  drop: 'Drop to add to the prompt',
  files: 'Files that come with this prompt:',
} as const;
