import type { VNode } from 'preact';

/** The mark of Outlast: a ring that goes on where it was broken. */
export function Mark({ size = 22 }: { readonly size?: number }): VNode {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" class="outlast-mark">
      <path d="M12 3.5a8.5 8.5 0 1 1-7.4 4.3" />
      <circle cx="6.7" cy="5.3" r="1.9" />
    </svg>
  );
}
