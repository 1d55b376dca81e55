import type { Asked } from "../broker/messages.ts";
import { serveBroker } from "../broker/serve.ts";
import { runTmux } from "../terminal/run-tmux.ts";
import { runGit } from "./run-git.ts";

// Ends with the channel, that is with whoever started it: by then it has taken all that was sent.
// What it started lives on.
const serve = serveBroker((said) => void process.send?.(said, undefined, {}, () => {}), {
  runGit,
  runTmux,
}); // Nobody is left to hear: `disconnect` follows.
process.on("message", (asked: Asked) => serve(asked));
process.on("disconnect", () => process.exit());
// A supervisor sends these to every process of a service, which then lets its turns end: their exit
// codes come through here.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {});
process.send?.({ kind: "ready" });
