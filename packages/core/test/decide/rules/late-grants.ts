import {
  activityEvent,
  closedEvent,
  commentEvent,
  controlEvent,
  hostNoonMs,
  issueOf,
  mallory,
} from "../../../src/testing/build-event.ts";
import { itemOf, sessionOf } from "../../../src/testing/build-state.ts";
import { given } from "../../../src/testing/given.ts";
import { type Rule, record, status } from "./rule.ts";
import type { ItemState } from "../../../src/work-item/records.ts";

const at = (minute: number): string => `2026-03-01T12:${String(minute).padStart(2, "0")}:00Z`;
const issueAt = (minute: number, over = {}): ReturnType<typeof issueOf> =>
  issueOf({ updatedAt: at(minute), ...over });
const said = (
  verb: "add" | "remove",
  minute: number,
  login = "dave",
): ReturnType<typeof commentEvent> =>
  commentEvent(`loop ${verb}-collaborator @${login}`, {
    comment: { createdAt: at(minute) },
    item: issueAt(minute),
  });
const typed = (verb: "add" | "remove", minute: number): ReturnType<typeof controlEvent> =>
  controlEvent(
    { verb: `${verb}-collaborator`, login: "dave", instance: null },
    { receivedAt: hostNoonMs + minute * 60_000 },
  );
const closed = (minute: number, over = {}): ReturnType<typeof closedEvent> =>
  closedEvent({ item: issueAt(minute), at: at(minute), ...over });
const reopened = (minute: number): ReturnType<typeof activityEvent> =>
  activityEvent({ action: "reopened", item: issueAt(minute), at: at(minute) });
const atWork = given({ item: itemOf("started", { sessions: [sessionOf()] }) });
const idle = given({ item: itemOf("idle") });

const granted = {
  says: "granted: collaborator-granted",
  does: ["react eyes", "react hooray"],
  leaves: [logins, ["dave"]],
} as const;
const tooLate = { says: "refused: older-than-known", leaves: [logins, []] } as const;
const tooLateHere = {
  says: "refused: older-than-command-line",
  does: ["react confused", "reply #7"],
  leaves: [logins, []],
} as const;
const revoked = {
  says: "revoked: collaborator-revoked",
  does: ["react eyes", "react hooray"],
  leaves: [logins, []],
} as const;

/**
 * A grant that is told after its end lets nobody in; an end counts however late it is told (ADR
 * 0013).
 */
export const lateGrantRules: readonly Rule[] = [
  {
    name: "R19: a grant written before its revocation",
    given: atWork.after(said("add", 3), said("remove", 9)),
    when: said("add", 5),
    ...tooLate,
  },
  {
    name: "R19: whatever the case of the login",
    given: atWork.after(said("add", 3, "Dave"), said("remove", 9, "DAVE")),
    when: said("add", 5, "dAve"),
    ...tooLate,
  },
  {
    name: "R19: a grant written before a revocation that found nobody, being told first",
    given: atWork.after(said("remove", 9)),
    when: said("add", 5),
    ...tooLate,
  },
  {
    name: "R19: such a revocation on an item of which nothing was known",
    given: given().after(said("remove", 9)),
    when: said("add", 5),
    ...tooLate,
  },
  {
    name: "R19: a grant written after it",
    given: atWork.after(said("remove", 5)),
    when: said("add", 9),
    ...granted,
  },
  {
    name: "R19: a grant in the second of its revocation counts by the order of arrival",
    given: atWork.after(said("remove", 5)),
    when: said("add", 5),
    ...granted,
  },
  {
    name: "R19: another login's revocation is none of its business",
    given: atWork.after(said("remove", 9, "erin")),
    when: said("add", 5),
    ...granted,
  },
  {
    name: "R19: a revocation is carried out however old it is",
    given: atWork.after(said("add", 9)),
    when: said("remove", 5),
    ...revoked,
  },
  {
    name: "R19: an older revocation does not hide a newer one",
    given: atWork.after(said("remove", 9), said("remove", 3)),
    when: said("add", 5),
    ...tooLate,
  },
  {
    name: "R19: a grant written before a revocation of the command line",
    given: atWork.after(typed("remove", 9)),
    when: said("add", 5),
    ...tooLateHere,
  },
  {
    name: "R19: a grant of the command line counts whatever the clocks say",
    given: atWork.after(said("remove", 9)),
    when: typed("add", 5),
    says: "granted: collaborator-granted",
    does: ["reply #7"],
    leaves: [logins, ["dave"]],
  },

  {
    name: "R19: a grant written before the closing, told after the reopening",
    given: atWork.after(closed(7), reopened(9)),
    when: said("add", 5),
    ...tooLate,
  },
  {
    name: "R19: the closing of what nobody started counts as well",
    given: idle.after(closed(7), reopened(9)),
    when: said("add", 5),
    ...tooLate,
  },
  {
    name: "R19: also of what nobody had heard of, if it carries the label",
    given: given().after(closed(7), reopened(9)),
    when: said("add", 5),
    ...tooLate,
  },
  {
    name: "R19: a grant written after the reopening",
    given: atWork.after(closed(7), reopened(9)),
    when: said("add", 10),
    ...granted,
  },
  {
    name: "R19: a stranger's closing ends grants as well, so an older one does not count",
    given: atWork.after(closed(7, { by: mallory }), reopened(9)),
    when: said("add", 5),
    ...tooLate,
  },
  {
    name: "R19: a reopening proves a closing that nobody told of",
    given: atWork.after(reopened(9)),
    when: said("add", 5),
    ...tooLate,
  },
  {
    name: "R19: while it is closed, being too late is said rather than to reopen it",
    given: atWork.after(closed(7)),
    when: said("add", 5),
    ...tooLate,
  },
  {
    name: "R19: a closing that is told after the reopening ends the grants of before it",
    given: atWork.after(said("add", 3), reopened(9)),
    when: closed(5),
    says: "noted: closing-overtaken",
    leaves: [
      (after) => [logins(after), status(after), after.workItem?.open],
      [[], "started", true],
    ],
  },
  {
    name: "R19: also one of its own second, as nobody can tell which was first",
    given: atWork.after(said("add", 5), reopened(9)),
    when: closed(5),
    says: "noted: closing-overtaken",
    leaves: [logins, []],
  },
  {
    name: "R19: not those of after it",
    given: atWork.after(said("add", 3, "erin"), reopened(9), said("add", 10)),
    when: closed(5),
    says: "noted: closing-overtaken",
    leaves: [logins, ["dave"]],
  },
  {
    name: "R19: nor one that was given again since",
    given: atWork.after(said("add", 3), reopened(9), said("add", 10)),
    when: closed(5),
    says: "noted: closing-overtaken",
    leaves: [logins, ["dave"]],
  },
  {
    name: "R19: and a grant of before such a closing comes too late",
    given: atWork.after(reopened(9), closed(5)),
    when: said("add", 3),
    ...tooLate,
  },
  {
    name: "R19: so does a stranger's closing that is told after the reopening",
    given: atWork.after(said("add", 3), reopened(9)),
    when: closed(5, { by: mallory }),
    says: "noted: closing-overtaken",
    leaves: [(after) => [logins(after), status(after)], [[], "started"]],
  },
  {
    name: "a closing of an unlabelled item of which nothing is on record leaves no trace, also for grants",
    given: given(),
    when: closed(7, { item: issueAt(7, { labels: [] }) }),
    says: "ignored: close-without-session",
    leaves: [record, null],
  },
];

function logins({ collaborators }: ItemState): unknown {
  return collaborators.map(({ login }) => login);
}
