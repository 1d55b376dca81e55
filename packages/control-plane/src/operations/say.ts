import { z } from "zod";
import { sent } from "../shapes/sent.ts";
import { refInput } from "../shapes/words.ts";
import { defineOperation, type Operation } from "./operation.ts";

export const say: Operation = defineOperation({
  name: "say",
  summary: "say something to a session, without the code host; nothing is posted on the ticket",
  kind: "write",
  route: { method: "post", path: "/work-items/{ref}/say" },
  tool: false,
  input: z.strictObject({
    ref: refInput,
    text: z.string().min(1).max(65_536).regex(/\S/, "must hold more than blanks"),
  }),
  output: sent,
  run: async ({ ref, text }, { steering }) =>
    steering.control(await steering.ref(ref), { verb: "say", text }),
});
