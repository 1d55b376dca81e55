export { type Condition, type Move, type Transition, transitions } from "../control/transitions.ts";
export { activityEvent, alice, carol, ciEvent, closedEvent, commentEvent, controlEvent, hostNoon, hostNoonMs, issueOf, labelEvent, mallory, pullRequestOf, repository, someBot } from "./build-event.ts";
export { issueRef, itemOf, laneOf, linkOf, policyOf, pullRef, sessionOf, stateOf, targetOf } from "./build-state.ts";
export { decidedAs } from "./decided-as.ts";
export { type Given, given, type Outcome } from "./given.ts";
export { bytesOf, deliveryOf, digestOf, noon } from "./build-delivery.ts";
export { inboxContract, type InboxRow, type InboxSubject, type StoredForTest } from "./inbox-contract.ts";
export { createMemoryInbox, memoryInboxSubject } from "./memory-inbox.ts";
export { differs, same, sameBytes } from "./same.ts";
