/** Efforts, lowest first. Not every model has all of them. */
export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

/** Which models there are depends on the user's provider; a plain word is more likely a typing error. */
export function isModelId(name: string): boolean {
  return /^[\w.:/@-]+$/.test(name) && /[\d/-]/.test(name);
}
