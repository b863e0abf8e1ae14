/** Where to read on from: the cursor, or from a daemon that gives none the bare position. */
export function cursorOf({ after, position }: { readonly after?: string; readonly position: number }): string | number {
  return after ?? position;
}
