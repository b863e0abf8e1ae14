import type { HandlerInput } from '../../api/contract.ts';
import type { OperationName } from '../../api/routes.ts';
import { agentList } from '../calls/agent-list.ts';
import { approvalDecide } from '../calls/approval-decide.ts';
import { approvalFollow } from '../calls/approval-follow.ts';
import { approvalList } from '../calls/approval-list.ts';
import { auditRead } from '../calls/audit-read.ts';
import { auditVerify } from '../calls/audit-verify.ts';
import { bootLast } from '../calls/boot-last.ts';
import { bootRun } from '../calls/boot-run.ts';
import { configReload } from '../calls/config-reload.ts';
import { configShow } from '../calls/config-show.ts';
import { conversationResume } from '../calls/conversation-resume.ts';
import { daemonCaller } from '../calls/daemon-caller.ts';
import { daemonDoctor } from '../calls/daemon-doctor.ts';
import { daemonStatus } from '../calls/daemon-status.ts';
import { daemonStop } from '../calls/daemon-stop.ts';
import { daemonWake } from '../calls/daemon-wake.ts';
import { deviceRecord } from '../calls/device-record.ts';
import { limitList } from '../calls/limit-list.ts';
import { metricsRead } from '../calls/metrics-read.ts';
import { noticeList } from '../calls/notice-list.ts';
import { noticeRemove } from '../calls/notice-remove.ts';
import { noticeSet } from '../calls/notice-set.ts';
import { noticeTest } from '../calls/notice-test.ts';
import { ruleList } from '../calls/rule-list.ts';
import { ruleRemove } from '../calls/rule-remove.ts';
import { scheduleCreate } from '../calls/schedule-create.ts';
import { scheduleList } from '../calls/schedule-list.ts';
import { schedulePause } from '../calls/schedule-pause.ts';
import { scheduleRemove } from '../calls/schedule-remove.ts';
import { scheduleResume } from '../calls/schedule-resume.ts';
import { scheduleRun } from '../calls/schedule-run.ts';
import { scheduleShow } from '../calls/schedule-show.ts';
import { searchDelete } from '../calls/search-delete.ts';
import { searchQuery } from '../calls/search-query.ts';
import { searchStatus } from '../calls/search-status.ts';
import { sessionAck } from '../calls/session-ack.ts';
import { sessionAcknowledge } from '../calls/session-acknowledge.ts';
import { sessionAttach } from '../calls/session-attach.ts';
import { sessionBackground } from '../calls/session-background.ts';
import { sessionChanges } from '../calls/session-changes.ts';
import { sessionControl } from '../calls/session-control.ts';
import { sessionDrop } from '../calls/session-drop.ts';
import { sessionEvents } from '../calls/session-events.ts';
import { sessionFollow } from '../calls/session-follow.ts';
import { sessionHandoff } from '../calls/session-handoff.ts';
import { sessionInterrupt } from '../calls/session-interrupt.ts';
import { sessionList } from '../calls/session-list.ts';
import { sessionLogs } from '../calls/session-logs.ts';
import { sessionOutput } from '../calls/session-output.ts';
import { sessionPoll } from '../calls/session-poll.ts';
import { sessionPrompt } from '../calls/session-prompt.ts';
import { sessionPrune } from '../calls/session-prune.ts';
import { sessionRemove } from '../calls/session-remove.ts';
import { sessionReply } from '../calls/session-reply.ts';
import { sessionReport } from '../calls/session-report.ts';
import { sessionResize } from '../calls/session-resize.ts';
import { sessionResume } from '../calls/session-resume.ts';
import { sessionScreen } from '../calls/session-screen.ts';
import { sessionScreens } from '../calls/session-screens.ts';
import { sessionShow } from '../calls/session-show.ts';
import { sessionStart } from '../calls/session-start.ts';
import { sessionStop } from '../calls/session-stop.ts';
import { sessionTell } from '../calls/session-tell.ts';
import { sessionTurn } from '../calls/session-turn.ts';
import { sessionTurns } from '../calls/session-turns.ts';
import { sessionType } from '../calls/session-type.ts';
import { sessionUpload } from '../calls/session-upload.ts';
import { sessionWait } from '../calls/session-wait.ts';
import { sessionWatch } from '../calls/session-watch.ts';
import { sessionWrite } from '../calls/session-write.ts';
import { tmuxCapture } from '../calls/tmux-capture.ts';
import { tmuxFind } from '../calls/tmux-find.ts';
import { tmuxWait } from '../calls/tmux-wait.ts';
import { usageDays } from '../calls/usage-days.ts';
import { guarded } from '../serve/guard.ts';
import type { Handlers } from '../serve/http.ts';
import type { Parts } from '../serve/parts.ts';
import { withWholeIds } from '../serve/whole-ids.ts';

/** The function of one operation. */
type Call<N extends OperationName> = (
  parts: Parts,
  input: HandlerInput<N>,
  signal: AbortSignal,
) => ReturnType<Handlers[N]>;

/** One function for each operation, in its own file. */
const CALLS = {
  'agent.list': agentList,
  'approval.decide': approvalDecide,
  'approval.follow': approvalFollow,
  'approval.list': approvalList,
  'audit.read': auditRead,
  'audit.verify': auditVerify,
  'boot.last': bootLast,
  'boot.run': bootRun,
  'config.reload': configReload,
  'config.show': configShow,
  'conversation.resume': conversationResume,
  'daemon.caller': daemonCaller,
  'daemon.doctor': daemonDoctor,
  'daemon.status': daemonStatus,
  'daemon.stop': daemonStop,
  'daemon.wake': daemonWake,
  'device.record': deviceRecord,
  'limit.list': limitList,
  'metrics.read': metricsRead,
  'notice.list': noticeList,
  'notice.remove': noticeRemove,
  'notice.set': noticeSet,
  'notice.test': noticeTest,
  'rule.list': ruleList,
  'rule.remove': ruleRemove,
  'search.delete': searchDelete,
  'search.query': searchQuery,
  'search.status': searchStatus,
  'schedule.create': scheduleCreate,
  'schedule.list': scheduleList,
  'schedule.pause': schedulePause,
  'schedule.remove': scheduleRemove,
  'schedule.resume': scheduleResume,
  'schedule.run': scheduleRun,
  'schedule.show': scheduleShow,
  'session.ack': sessionAck,
  'session.attach': sessionAttach,
  'session.background': sessionBackground,
  'session.changes': sessionChanges,
  'session.control': sessionControl,
  'session.drop': sessionDrop,
  'session.events': sessionEvents,
  'session.follow': sessionFollow,
  'session.handoff': sessionHandoff,
  'session.interrupt': sessionInterrupt,
  'session.list': sessionList,
  'session.logs': sessionLogs,
  'session.output': sessionOutput,
  'session.poll': sessionPoll,
  'session.prompt': sessionPrompt,
  'session.prune': sessionPrune,
  'session.remove': sessionRemove,
  'session.reply': sessionReply,
  'session.report': sessionReport,
  'session.resize': sessionResize,
  'session.resume': sessionResume,
  'session.screen': sessionScreen,
  'session.screens': sessionScreens,
  'session.acknowledge': sessionAcknowledge,
  'session.show': sessionShow,
  'session.start': sessionStart,
  'session.stop': sessionStop,
  'session.tell': sessionTell,
  'session.turn': sessionTurn,
  'session.turns': sessionTurns,
  'session.type': sessionType,
  'session.upload': sessionUpload,
  'session.wait': sessionWait,
  'session.watch': sessionWatch,
  'session.write': sessionWrite,
  'tmux.capture': tmuxCapture,
  'tmux.find': tmuxFind,
  'tmux.wait': tmuxWait,
  'usage.days': usageDays,
} satisfies { readonly [N in OperationName]: Call<N> };

/** The operations with their dependencies; ids are completed first, then the rights of the caller are checked. */
export function handlers(parts: Parts): Handlers {
  const bound = Object.entries(CALLS).map(([name, call]) => [
    name,
    (input: never, signal: AbortSignal) => (call as Call<OperationName>)(parts, input, signal),
  ]);
  return withWholeIds(parts, guarded(parts, Object.fromEntries(bound) as Handlers));
}
