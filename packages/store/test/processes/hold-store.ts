import { openStore } from "../../src/index.ts";

/** Has a store open, until it is killed. */
const store = await openStore(process.argv[2] ?? "", { instance: "held", now: Date.now });
await store.stats();
process.stdout.write("open\n");
setInterval(() => {}, 60_000);
