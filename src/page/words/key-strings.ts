/** The texts of the sheet of all keys. */
export const KEY_STRINGS = {
  title: 'Keys',
  close: 'Close',
  sheet: [
    {
      group: 'Anywhere',
      rows: [
        ['a', 'to what needs you next'],
        ['g f', 'to the list'],
        ['g i', 'to the inbox'],
        ['g s', 'search conversations'],
        ['g t', 'to the tree'],
        ['g b', 'to what a restart interrupted'],
        ['g u', 'to the usage'],
        ['g n', 'start something'],
        ['g ,', 'to the settings'],
        ['Ctrl K', 'go to a session, or do something'],
        ['?', 'this page'],
        ['Esc', 'back'],
      ],
    },
    {
      group: 'In the list',
      rows: [
        ['j', 'down'],
        ['k', 'up'],
        ['Enter', 'open'],
        ['/', 'filter'],
      ],
    },
    {
      group: 'In a session',
      rows: [
        ['1', 'conversation'],
        ['2', 'screen'],
        ['3', 'events'],
        ['4', 'changes'],
        ['5', 'report'],
        ['e', 'in events: the next trouble'],
        ['v', 'in changes: mark as viewed'],
        ['c', 'write a prompt'],
        ['Enter', 'send'],
        ['Ctrl Enter', 'add to the running turn'],
      ],
    },
    {
      group: 'At a question',
      rows: [
        ['y', 'allow'],
        ['n', 'deny'],
        ['e', 'with a reason'],
        ['k', 'the next one'],
      ],
    },
  ],
} as const;
