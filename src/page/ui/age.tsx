import type { VNode } from 'preact';
import { ageText } from '../../present/row.ts';
import { useApp } from '../model/app.ts';
import { timeText, wholeTimeText } from '../words/format.ts';

/** How long ago something was, kept current. */
export function Age({ atMs }: { readonly atMs: number }): VNode {
  const { nowMs } = useApp();
  return (
    <time class="age" dateTime={new Date(atMs).toISOString()} title={wholeTimeText(atMs)}>
      {ageText(nowMs.value - atMs)}
    </time>
  );
}

/** When something was. */
export function At({ atMs }: { readonly atMs: number }): VNode {
  const { nowMs } = useApp();
  return (
    <time class="age" dateTime={new Date(atMs).toISOString()} title={wholeTimeText(atMs)}>
      {timeText(atMs, nowMs.peek())}
    </time>
  );
}
