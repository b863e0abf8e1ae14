import { actorText } from '../../core/actor.ts';
import type { Event, EventBody } from '../../core/event.ts';
import { durationText } from '../../present/duration.ts';
import { exitText } from '../../present/outcome.ts';
import { withoutNote } from '../views/spawn-note.ts';
import { endText, faultText } from '../views/view.ts';
import { plain, timeText } from './head.ts';

type Body<T extends EventBody['type']> = Extract<EventBody, { type: T }>;

const PROMPT_CHARS_MAX = 120;
const REPLY_CHARS_MAX = 200;
const LINE_CHARS_MAX = 300;

/** One line of a timeline, without secrets; null for events that are left out. */
export function storyText(event: Event): string | null {
  const { body } = event;
  const text = runText(event) ?? promptText(event) ?? sessionText(body) ?? agentText(body);
  return text === null ? null : plain(text, LINE_CHARS_MAX);
}

function runText({ body, steadyMs }: Event): string | null {
  switch (body.type) {
    case 'run.starting':
      return `run ${body.run} starts (${body.how})`;
    case 'run.opened':
      return body.pid === 0 ? null : `run ${body.run} is process ${body.pid}`;
    case 'run.delayed':
      return `run ${body.run} waits until ${timeText(body.untilMs)}: ${body.why}`;
    case 'run.closing':
      return `run ${body.run} is ended after ${durationText(body.idleMs)} without work; the next prompt starts another`;
    case 'run.gapped':
      return `run ${body.run}: output is missing from byte ${body.atBytes} on: its ${body.why} is gone`;
    case 'run.ended':
      return `run ${body.run} ended: ${body.exit === null ? 'it left no status' : exitText(body.exit.status)}`;
    case 'run.faulted':
      return [
        `run ${body.run} broke: ${faultText(body.fault)}`,
        ...signsText(body),
        pauseText(body.retryAtMs - steadyMs),
      ].join('; ');
    default:
      return null;
  }
}

function signsText({ fault }: Body<'run.faulted'>): string[] {
  const signs = fault.kind === 'stalled' ? (fault.signs ?? []) : [];
  return signs.length === 0 ? [] : [`seen: ${signs.join(', ')}`];
}

function pauseText(ms: number): string {
  return `next try after ${durationText(ms)}`;
}

function promptText({ body, steadyMs }: Event): string | null {
  switch (body.type) {
    case 'prompt.queued':
      return `prompt ${body.prompt}: "${plain(withoutNote(body.text), PROMPT_CHARS_MAX)}"`;
    case 'prompt.sending':
      return body.turn > 1 ? `prompt ${body.prompt} is continued, try ${body.turn}` : null;
    case 'prompt.waiting':
      return `prompt ${body.prompt} waits: ${body.why}`;
    case 'prompt.unsure':
      return `prompt ${body.prompt}: not confirmed by the agent after ${durationText(body.waitedMs)}`;
    case 'prompt.answered':
      return `prompt ${body.prompt} answered: ${plain(body.reply, REPLY_CHARS_MAX)}`;
    case 'prompt.failed':
      return `prompt ${body.prompt} failed: ${body.error}`;
    case 'prompt.troubled':
      return `prompt ${body.prompt}: its turn failed (${body.trouble.kind}): ${body.text}`;
    case 'prompt.delayed':
      return `prompt ${body.prompt}: ${pauseText(body.retryAtMs - steadyMs)}: ${body.why}`;
    case 'update.delivered':
      return body.inTurnUpdate === undefined ? null : `${updatesText(body.count)} delivered with the result of a tool`;
    case 'prompt.interrupted':
      return `prompt ${body.prompt} interrupted by ${actorText(body.by)}`;
    case 'prompt.dropped':
      return `prompt ${body.prompt} dropped by ${actorText(body.by)}`;
    default:
      return null;
  }
}

function updatesText(count: number): string {
  return count === 1 ? '1 update' : `${count} updates`;
}

function sessionText(body: EventBody): string | null {
  switch (body.type) {
    case 'session.created':
      return `requested: ${body.spec.drive === 'command' ? body.spec.argv.join(' ') : body.spec.agent}`;
    case 'session.backgrounded':
      return `its owner no longer waits for it (${actorText(body.by)})`;
    case 'session.closing':
      return `is being ended: ${endText(body.outcome, plain)}`;
    case 'session.ended':
      return `ended: ${endText(body.outcome, plain)}`;
    case 'session.resumed':
      return `resumed by ${actorText(body.by)}`;
    case 'session.held':
      return `needs a person (${body.why.kind}): ${body.why.text}`;
    case 'session.restored':
      return 'the journal was rebuilt or restored: no work starts until a person resumes it';
    case 'session.released':
      return body.by === undefined ? 'continues' : `continues: ${actorText(body.by)}`;
    case 'session.limited':
      return `usage limit until ${timeText(body.untilMs)}: ${body.text}`;
    case 'session.unlimited':
      return body.by === undefined ? 'the usage limit is over' : `the usage limit is over: ${actorText(body.by)}`;
    case 'session.switching':
      return `${body.to.agent} is to take over: ${actorText(body.by)}`;
    case 'session.switched':
      return `${body.to} takes over from ${body.from}`;
    case 'session.unswitched':
      return `no other agent can take over: ${body.why}`;
    case 'session.followed':
      return 'the sessions it waited for have answered';
    default:
      return null;
  }
}

const REMEDIES = { compact: 'the conversation is compacted', fork: 'the conversation continues as a copy' } as const;

function agentText(body: EventBody): string | null {
  switch (body.type) {
    case 'control.taken':
      return `${actorText(body.by)} takes control (${body.how})`;
    case 'control.returned':
      return `${actorText(body.by)} gives control back`;
    case 'visit.wanted':
      return `${actorText(body.by)} wants to see the agent's own screen`;
    case 'turn.started':
      return `a prompt from someone else: "${plain(body.text, PROMPT_CHARS_MAX)}"`;
    case 'turn.ended':
      return `the turn of someone else ${body.trouble ? 'failed' : 'ended'}: ${plain(body.reply, REPLY_CHARS_MAX)}`;
    case 'turn.interrupting':
      return `turn interrupted by ${actorText(body.by)}`;
    case 'tool.denied':
      return `${body.tool} was denied: ${body.why}`;
    case 'approval.asked':
      return `${body.tool} waits for an answer (${body.approval}): ${body.why}`;
    case 'approval.decided':
      return decidedText(body);
    case 'approval.missed':
      return `the agent no longer waits for a decision on ${body.approval}`;
    case 'approval.refused':
      return `${actorText(body.by)} tried to decide about ${body.approval}, from inside the session`;
    case 'approval.ruled':
      return `${actorText(body.by)} made a rule${scopeOf(body)}: ${body.effect} ${body.text}`;
    case 'approval.breached':
      return `${body.tool} was used without being allowed (${body.evidence})`;
    case 'remedy.begun':
      return `${REMEDIES[body.remedy]}: ${body.why}`;
    case 'remedy.ended':
      return body.ok ? 'that is done' : `that did not help: ${body.text}`;
    case 'conversation.compacted':
      return `the conversation was compacted (${body.trigger})`;
    default:
      return null;
  }
}

function decidedText({ tool, approval, allow, by, why, rule }: Body<'approval.decided'>): string | null {
  // Rules may allow hundreds of calls: they are only counted.
  if (rule !== null && allow) return null;
  const reason = rule ?? why;
  const who = actorText(by);
  return `${tool} ${allow ? 'allowed' : 'denied'} by ${who} (${approval})${reason === '' ? '' : `: ${reason}`}`;
}

function scopeOf({ always }: Body<'approval.ruled'>): string {
  return always ? ' for this workspace' : '';
}
