import { createReceiver, openFileInbox } from "@loopwork/receiver";
import { announce, readSettings } from "./contender.ts";
import { slowDisk } from "./slow-commit.ts";

// Ours as `loop-receiver` runs it, with the file inbox; nothing is handed on here.
const { secret, directory, flushDelayUs } = readSettings();
const inbox = await openFileInbox(directory, flushDelayUs > 0 ? { disk: slowDisk(flushDelayUs) } : {});
const { address } = await createReceiver({ inbox, secrets: [secret] }).listen(0);
announce(address.port);
