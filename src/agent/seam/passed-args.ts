/** The arguments of an agent that a caller may pass on, by flag: how many values each has. */
export interface PassedArgs {
  readonly passed: Readonly<Record<string, 0 | 1>>;
  /** Flags that add something which may act by itself, and why a gated run does not take them. */
  readonly ungated: { readonly flags: Readonly<Record<string, 0 | 1>>; readonly why: string };
  /** What to do instead of other flags. */
  readonly hints: Readonly<Record<string, string>>;
}

/** The arguments that are refused, each with its reason. */
export function refusedArgs(known: PassedArgs, args: readonly string[], isGated: boolean): readonly string[] {
  const refused: string[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const flag = args[i] ?? '';
    const values = known.passed[flag] ?? known.ungated.flags[flag];
    const why = whyNot(known, flag, isGated);
    if (why !== null) refused.push(`${flag}: ${why}`);
    else if (values === 1 && args[i + 1] === undefined) refused.push(`${flag}: its value is missing`);
    i += values ?? 0;
  }
  return refused;
}

function whyNot({ passed, ungated, hints }: PassedArgs, flag: string, isGated: boolean): string | null {
  if (Object.hasOwn(passed, flag)) return null;
  if (Object.hasOwn(ungated.flags, flag)) return isGated ? `behind a gate ${ungated.why}` : null;
  if (Object.hasOwn(hints, flag)) return hints[flag] ?? null;
  const all = [...Object.keys(passed), ...Object.keys(ungated.flags)];
  return `only these are passed on, as whole words: ${all.join(', ')}`;
}
