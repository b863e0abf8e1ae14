import type { VNode } from 'preact';
import { SafeLine } from '../ui/safe.tsx';
import { SETTINGS } from '../words/settings.ts';

/** What stands where an answer is expected: that it is asked for, or why it did not come. */
export function Waiting({ why }: { readonly why: string | undefined }): VNode {
  return (
    <p class={why === undefined ? 'muted' : 'bad'} role="status">
      <SafeLine text={why ?? SETTINGS.loading} />
    </p>
  );
}
