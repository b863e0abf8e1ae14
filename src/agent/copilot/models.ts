/** The efforts of reasoning, lowest first. Not every model has all of them. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/** Which models there are depends on the plan and on the provider; a plain word is more likely a typing error. */
export function isModelId(name: string): boolean {
  return name === 'auto' || (/^[\w.@][\w.:/@-]*$/.test(name) && /[\d/-]/.test(name));
}
