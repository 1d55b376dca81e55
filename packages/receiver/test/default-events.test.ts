import { hostEventName } from "@loopwork/core/ports";
import { parseConfig } from "@loopwork/core/config";
import { expect, test } from "vitest";
import { defaultEvents } from "../src/index.ts";

test("the default events are those of the configuration, and core can route each", () => {
  const parsed = parseConfig("", { file: "cli-config.yaml" });
  expect(parsed.ok && parsed.config.webhooks.hostWebhook.events.toSorted()).toEqual(
    defaultEvents.toSorted(),
  );
  expect(defaultEvents.map(hostEventName)).toEqual(defaultEvents);
});
