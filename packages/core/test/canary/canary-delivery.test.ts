import { describe, expect, test } from "vitest";
import {
  canaryBody,
  canaryEvent,
  canaryId,
  canaryWords,
  parseCanary,
} from "../../src/canary/canary-delivery.ts";
import { type ClockFacts, clockReport } from "../../src/canary/clock.ts";
import { allLinks, formatLinkReport, parseLinkReport } from "../../src/canary/links.ts";

const nonce = "0b54f5a2-9f4e-4d5e-8a3f-1c2d3e4f5a6b";
const canary = { nonce, sentAt: 1_767_225_600_000 };
const signed = `${canaryWords(canary)}\n\n<!-- marker -->`;

describe("a canary", () => {
  test("is read back with what has to be checked", () => {
    expect(parseCanary({ id: canaryId(canary), event: canaryEvent }, canaryBody(signed))).toEqual({
      ...canary,
      signed,
    });
  });

  test.each([
    ["another event", { id: canaryId(canary), event: "issues" }, canaryBody(signed)],
    [
      "another delivery id, as a copy would have",
      { id: "canary-other", event: canaryEvent },
      canaryBody(signed),
    ],
    [
      "other words before the marker",
      { id: canaryId(canary), event: canaryEvent },
      canaryBody(`please ${signed}`),
    ],
    ["no text", { id: canaryId(canary), event: canaryEvent }, '{"canary": 7}'],
    [
      "a list in place of the text",
      { id: canaryId(canary), event: canaryEvent },
      JSON.stringify({ canary: [signed] }),
    ],
    ["no object", { id: canaryId(canary), event: canaryEvent }, "[]"],
    ["no JSON", { id: canaryId(canary), event: canaryEvent }, "{"],
  ])("is none with %s", (_what, delivery, text) => {
    expect(parseCanary(delivery, text)).toBeNull();
  });
});

describe("the clock", () => {
  const now = 1_767_225_600_000;
  const facts: ClockFacts = {
    sentAt: now,
    receivedAt: now + 10,
    answeredAt: now + 400,
    newestBefore: now - 5_000,
    behindHost: -3_000,
  };
  test.each<[string, Partial<ClockFacts>, string]>([
    ["agrees", {}, "good"],
    ["of the service behind", { receivedAt: now - 60_000 }, "broken"],
    ["of the service ahead", { receivedAt: now + 60_000 }, "broken"],
    ["of 1970", { sentAt: 5_000, receivedAt: 5_010, answeredAt: 5_400 }, "broken"],
    ["was set back", { newestBefore: now + 3_600_000 }, "weak"],
    ["was behind the host", { behindHost: 600_000 }, "weak"],
    ["with nothing on record", { newestBefore: null, behindHost: null }, "good"],
  ])("%s", (_what, changed, state) => {
    expect(clockReport({ ...facts, ...changed })).toMatchObject({ link: "clock", state });
  });
});

test("the worst report of a link counts, and a link that nobody looked at is unknown", () => {
  const links = allLinks([
    { link: "disk", state: "good", found: "a", todo: null },
    { link: "disk", state: "broken", found: "b", todo: "c" },
  ]);
  expect(links.find(({ link }) => link === "disk")).toMatchObject({ found: "b" });
  expect(links.find(({ link }) => link === "git")).toMatchObject({ state: "unknown" });
});

test("a report stands in an event line and comes back; what is none does not", () => {
  const report = { link: "git", state: "weak", found: 'a "quoted" word', todo: null } as const;
  expect(parseLinkReport("git", formatLinkReport(report))).toEqual(report);
  for (const field of [
    undefined,
    null,
    7,
    "",
    "{}",
    ['["good","x",null]'],
    '["fine","x",null]',
    '["good",1,null]',
  ])
    expect(parseLinkReport("git", field)).toBeNull();
});
