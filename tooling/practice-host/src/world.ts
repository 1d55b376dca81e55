/**
 * Entry `@loopwork-tooling/practice-host/world`: the host's state, actions and interface without
 * HTTP and git, for simulations.
 */
export { addComment, addReview, deleteComment, editComment } from "./actions/comments.ts";
export { addLabel, newItem, openIssue, removeLabel, setOpen } from "./actions/items.ts";
export { type Announce, createAnnounce, pushed } from "./announce.ts";
export { answerCall } from "./http/api.ts";
export {
  createState,
  findItem,
  fullName,
  type HostState,
  type Item,
  type Repository,
  takeId,
  timeNow,
  type User,
  userNamed,
} from "./state.ts";
export type { Attempt, Delivery } from "./webhooks/delivery.ts";
export type { JsonObject } from "./wire/json.ts";
