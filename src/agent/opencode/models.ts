/** The levels of thinking that providers name, lowest first. Not every model has all of them. */
export const VARIANTS = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/** A model is named with its provider: `anthropic/claude-sonnet-4-5`. */
export function isModelId(name: string): boolean {
  return /^[\w.@-]+\/[\w.:/@-]+$/.test(name);
}

/** The provider and its own id of the model, which may contain slashes. */
export function modelOf(name: string): { readonly providerID: string; readonly modelID: string } {
  const at = name.indexOf('/');
  return { providerID: name.slice(0, at), modelID: name.slice(at + 1) };
}
