/** The levels of thinking, lowest first. Not every model has all of them. */
export const LEVELS = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/** Models of any provider are possible, with its name before a slash; a plain word is more likely a typing error. */
export function isModelId(name: string): boolean {
  return /^[\w.@][\w.:/@-]*$/.test(name) && /[\d/-]/.test(name);
}
