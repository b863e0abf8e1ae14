/** Why an agent that is known by its command line alone lacks the rest. */
export const ACP_LACKS = {
  turns: 'a process that speaks the Agent Client Protocol stays between turns',
  live: 'its screen is not driven',
  hooks: 'it reports in messages',
  actions: 'the protocol says what kind of tool is called, not what the call would do',
  gate: 'whether it asks before every call is not proven for a program that Outlast does not know',
  record: 'where it stores its conversations is not known',
  usage: 'the protocol does not say what a turn used',
  conversations: 'where it stores its conversations is not known',
  compact: 'whether it can shorten a conversation is not known',
  fork: 'the protocol cannot copy a conversation',
} as const;
