import type { VNode } from 'preact';
import { leftText } from '../../present/approval.ts';
import { ageText } from '../../present/row.ts';
import { useApp } from '../model/app.ts';
import type { Question } from '../model/inbox.ts';

const ROUND = 2 * Math.PI * 7;

/** The time that is left of a question: a ring that empties, and the time. */
export function TimeLeft({ question, isLong }: { readonly question: Question; readonly isLong?: boolean }): VNode {
  const { nowMs, clock } = useApp();
  // It moves with the second hand of the page.
  void nowMs.value;
  const { asked, endsMs } = question;
  const leftMs = endsMs === null ? null : Math.max(endsMs - clock.steadyMs(), 0);
  const wholeMs = asked.leftMs === null ? 1 : Math.max(nowMs.peek() - asked.askedAtMs + (leftMs ?? 0), asked.leftMs);
  const part = leftMs === null ? 1 : leftMs / wholeMs;
  const text = leftText({ leftMs, mode: asked.mode });
  return (
    <span class={`time-left ${part < 0.2 ? 'soon' : ''}`} title={text}>
      <svg viewBox="0 0 18 18" width="16" height="16" aria-hidden="true">
        <circle class="whole" cx="9" cy="9" r="7" />
        <circle class="left" cx="9" cy="9" r="7" style={{ strokeDasharray: `${part * ROUND} ${ROUND}` }} />
      </svg>
      <span>{isLong ? text : leftMs === null ? '' : ageText(leftMs)}</span>
    </span>
  );
}
