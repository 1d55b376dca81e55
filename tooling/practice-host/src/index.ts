export { compileCache } from "./compile-cache.ts";
export { freePort } from "./free-port.ts";
export { createPracticeHost, type PracticeHost, type PracticeHostOptions } from "./host.ts";
export type { RepositoryHandle } from "./repository-handle.ts";
export type { Check, Comment, Item, Pull, Review, ReviewState } from "./state.ts";
export type { Attempt, Delivery, Disorder, WebhookTarget } from "./webhooks/delivery.ts";
