import { closeSession } from "./close-session.ts";
import { addCollaborator, removeCollaborator } from "./collaborators.ts";
import { controlWorkItem } from "./control-work-item.ts";
import { linkPullRequest } from "./link-pull-request.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { listEvents } from "./list-events.ts";
import { listLearnings } from "./list-learnings.ts";
import { listSessions } from "./list-sessions.ts";
import { listTurns } from "./list-turns.ts";
import { listUnownedStarts } from "./list-unowned-starts.ts";
import { listWaiting } from "./list-waiting.ts";
import { listWorkItems } from "./list-work-items.ts";
import type { Operation } from "./operation.ts";
import { registerSession } from "./register-session.ts";
import { replay } from "./replay.ts";
import { dropTurn, retryTurn } from "./resolve-turn.ts";
import { restart } from "./restart.ts";
import { say } from "./say.ts";
import { showActivity } from "./show-activity.ts";
import { showDelivery } from "./show-delivery.ts";
import { showHealth } from "./show-health.ts";
import { showInstance } from "./show-instance.ts";
import { showTimeline } from "./show-timeline.ts";
import { showTranscript } from "./show-transcript.ts";
import { showWorkItem } from "./show-work-item.ts";
import { whyDelivery } from "./why-delivery.ts";

/** Everything that can be asked of the service. */
export const operations: readonly Operation[] = [
  showHealth,
  showInstance,
  listWaiting,
  listUnownedStarts,
  listWorkItems,
  showWorkItem,
  listSessions,
  showTimeline,
  listLearnings,
  showTranscript,
  controlWorkItem,
  say,
  registerSession,
  linkPullRequest,
  closeSession,
  addCollaborator,
  removeCollaborator,
  listDeliveries,
  showDelivery,
  whyDelivery,
  listTurns,
  retryTurn,
  dropTurn,
  replay,
  listEvents,
  showActivity,
  restart,
];
