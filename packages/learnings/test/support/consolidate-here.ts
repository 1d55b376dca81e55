import { carryOut, type Places, planConsolidation } from "../../src/index.ts";

// A process of its own that consolidates, so that it can be killed: consolidate-here.ts ROOT
// PLACES-AS-JSON NOW
const [root = "", places = "", now = ""] = process.argv.slice(2);
const at: Places = {
  ...(JSON.parse(places) as Omit<Places, "isChosen">),
  isChosen: () => Promise.resolve(true),
};
await carryOut(root, at, await planConsolidation(root, at, Number(now)));
