import { openAny } from "../open-any.ts";

/** Has a store open, until it is killed. */
const store = await openAny(process.argv[2] ?? "", { instance: "held", now: Date.now });
await store.stats();
process.stdout.write("open\n");
setInterval(() => {}, 60_000);
