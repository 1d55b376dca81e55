import type { Inbox } from "@loopwork/core/ports";
import { createReceiver } from "@loopwork/receiver";
import { announce, readSettings } from "./contender.ts";

// Ours without durability: all of the receiver, Express included, over an inbox that forgets. What
// it takes beyond `bare` is what HTTP costs us.
let seq = 0;
const inbox: Inbox = { append: async () => ({ kind: "accepted", seq: ++seq }) };
const { address } = await createReceiver({ inbox, secrets: [readSettings().secret] }).listen(0);
announce(address.port);
