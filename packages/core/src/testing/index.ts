export { bytesOf, deliveryOf, digestOf, noon } from "./build-delivery.ts";
export { inboxContract, type InboxRow, type InboxSubject, type StoredForTest } from "./inbox-contract.ts";
export { createMemoryInbox, memoryInboxSubject } from "./memory-inbox.ts";
export { differs, same, sameBytes } from "./same.ts";
