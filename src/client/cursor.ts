/** Where to continue reading: the cursor, or the bare position from a daemon that returns no cursor. */
export function cursorOf({ after, position }: { readonly after?: string; readonly position: number }): string | number {
  return after ?? position;
}
