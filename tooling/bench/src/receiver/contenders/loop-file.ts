import type { Inbox } from "@loopwork/core/ports";
import { createReceiver, openFileInbox } from "@loopwork/receiver";
import { announce, readSettings } from "./contender.ts";
import { slowDisk } from "./slow-commit.ts";

// Ours as `loop-receiver` runs it, with the file inbox. Each delivery counts as handed on when it
// is stored, so that finished segments are used again as they are behind a consumer that keeps up.
const { secret, directory, flushDelayUs } = readSettings();
const files = await openFileInbox(
  directory,
  flushDelayUs > 0 ? { disk: slowDisk(flushDelayUs) } : {},
);
const inbox: Inbox = {
  append: async (delivery) => {
    const acceptance = await files.append(delivery);
    if (acceptance.kind === "accepted") files.release(acceptance.seq);
    return acceptance;
  },
};
const { address } = await createReceiver({ inbox, secrets: [secret] }).listen(0);
announce(address.port);
