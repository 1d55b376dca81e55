import type { RefText } from "@loopwork/core/ports";
import { z } from "zod";
import { refInput } from "../shapes/words.ts";
import { refText } from "../shapes/work-item.ts";
import { defineOperation, type Operation } from "./operation.ts";

type Linked = {
  readonly workItem: RefText;
  readonly pullRequest: RefText;
  readonly recorded: boolean;
};

const linked: z.ZodType<Linked> = z.object({
  workItem: refText,
  pullRequest: refText,
  recorded: z.boolean().meta({ description: "false: it was on record already" }),
});

export const linkPullRequest: Operation = defineOperation({
  name: "link-pull-request",
  summary: "record a pull request against a work item, so that its events reach the item's session",
  kind: "write",
  idempotent: true,
  route: { method: "post", path: "/work-items/{ref}/link-pr" },
  tool: false,
  input: z.strictObject({
    ref: refInput,
    pullRequest: z
      .string()
      .min(1)
      .max(400)
      .meta({ description: "number in the work item's repository, or a ref" }),
  }),
  output: linked,
  async run({ ref, pullRequest }, { steering }) {
    const workItem = await steering.ref(ref);
    return steering.linkPullRequest(workItem, await steering.pullRequest(pullRequest, workItem));
  },
});
