import { acpAgent } from './acp.ts';

/** How a session of it is started. */
const USE = 'Name a program that speaks the Agent Client Protocol: `outlast start --agent acp -- PROGRAM ARGUMENTS`';

/** Any program that speaks the Agent Client Protocol: each session names its command line. */
export const anyAcp = acpAgent('acp', ['acp'], {
  program: {
    isGiven: true,
    install: `${USE}.`,
    refusals: (args) => (args.length === 0 ? [USE] : []),
  },
  adapted: ({ argv: [, program = '', ...words], ...launch }) => ({ ...launch, argv: [program, ...words] }),
});
