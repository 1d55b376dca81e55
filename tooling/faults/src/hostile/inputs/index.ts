import type { Stage } from "../../payloads.ts";
import { createRandom } from "../../random.ts";
import type { Input, Maker } from "../input.ts";
import { changedBytes } from "./bytes.ts";
import { noHttp, oddFraming, oddPath } from "./framing.ts";
import { oddEncoding, oddHeaders, wrongSignature } from "./headers.ts";
import { oddJson } from "./json.ts";
import { mcp, rest } from "./service.ts";
import { authorizedComment, strangersComment } from "./texts.ts";
import { changedStructure } from "./structure.ts";

/** Every kind of input, and how many of a hundred are of it. */
const kinds: readonly (readonly [share: number, make: (maker: Maker) => Input])[] = [
  [16, changedBytes],
  [18, changedStructure],
  [15, wrongSignature],
  [13, oddHeaders],
  [5, oddEncoding],
  [9, oddFraming],
  [5, noHttp],
  [3, oddPath],
  [3, oddJson],
  [4, strangersComment],
  [1, authorizedComment],
  [5, rest],
  [3, mcp],
];

/**
 * The input of that number: it hangs on seed and number alone, so that one of many can be sent
 * again by itself. `runId` makes its delivery id one of this run.
 */
export function inputOf(
  seed: number,
  n: number,
  runId: string,
  stage: Stage,
  token: string,
): Input {
  const random = createRandom(Math.imul(seed + 1, 0x9e37_79b1) ^ Math.imul(n + 1, 0x85eb_ca6b));
  let left = random() * 100;
  const maker = { stage, token, n, runId, random };
  for (const [share, make] of kinds) if ((left -= share) < 0) return make(maker);
  throw new Error("the shares of the kinds do not make a hundred");
}
