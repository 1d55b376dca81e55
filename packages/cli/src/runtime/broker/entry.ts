import type { Asked } from "./messages.ts";
import { serveBroker } from "./serve.ts";

// Ends with the channel, that is with whoever started it: by then it has taken all that was sent. What it started lives on.
const serve = serveBroker((said) => void process.send?.(said, undefined, {}, () => {})); // Nobody is left to hear: `disconnect` follows.
process.on("message", (asked: Asked) => serve(asked));
process.on("disconnect", () => process.exit());
process.send?.({ kind: "ready" });
