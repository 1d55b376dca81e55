import { describe, expect, it } from "vitest";
import { list, Misfit, nullable, number, object, oneOf, text } from "../../src/ui/api/decode.ts";
import * as shapes from "../../src/ui/api/shapes.ts";
import { serve } from "../support/serving.ts";

describe("what the page takes from the service", () => {
  it.each([
    ["/work-items", shapes.pageOf(shapes.row)],
    ["/work-items/host%3Aocto%2Fshop%237", shapes.itemAndTurns],
    ["/work-items/host%3Aocto%2Fshop%237/timeline", shapes.pageOf(shapes.line)],
    ["/work-items/host%3Aocto%2Fshop%237/transcript", shapes.transcript],
    ["/turns", shapes.pageOf(shapes.turn)],
    ["/waiting", shapes.pageOf(shapes.wait)],
    ["/unowned-starts", shapes.pageOf(shapes.unownedStart)],
    ["/deliveries", shapes.pageOf(shapes.delivery)],
    ["/deliveries/delivery-1/why", shapes.why],
    ["/events", shapes.pageOf(shapes.line)],
    ["/activity", shapes.counts],
    ["/instance", shapes.instance],
  ] as const)("is what %s answers", async (path, decode) => {
    const serving = await serve();
    const answer = await serving.ask(`/api/v1${path}`);
    expect(answer.status).toBe(200);
    expect(decode(answer.json(), path)).toBeTypeOf("object");
  });

  it("is what a control request answers", async () => {
    const serving = await serve();
    const answer = await serving.ask("/api/v1/work-items/host%3Aocto%2Fshop%237/control", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"verb":"start"}',
    });
    expect(shapes.sent(answer.json(), "sent")).toMatchObject({
      state: "done",
      sentence: "A start was asked for.",
    });
  });
});

describe("what the page takes from what it asks for", () => {
  it.each([
    ["POST", "/link-pr", '{"pullRequest":"12"}', shapes.linked],
    ["POST", "/close", "{}", shapes.closed],
    ["PUT", "/collaborators/grace", "{}", shapes.sent],
    ["DELETE", "/collaborators/grace", undefined, shapes.sent],
  ] as const)("is what %s …%s answers", async (method, path, body, decode) => {
    const serving = await serve();
    const answer = await serving.ask(`/api/v1/work-items/host%3Aocto%2Fshop%237${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body }),
    });
    expect(answer.status).toBe(200);
    expect(decode(answer.json(), path)).toBeTypeOf("object");
  });
});

describe("an answer that does not fit", () => {
  const decode = object<{
    readonly name: string;
    readonly kinds: readonly ("a" | "b")[];
    readonly at: number | null;
  }>({ name: text, kinds: list(oneOf("a", "b")), at: nullable(number) });

  it("is no value of the page", () => {
    expect(decode({ name: "x", kinds: ["a", "b"], at: null, more: 1 }, "it")).toEqual({
      name: "x",
      kinds: ["a", "b"],
      at: null,
    });
  });

  it.each([
    null,
    [],
    "x",
    { name: 1, kinds: [], at: 1 },
    { name: "x", kinds: "a", at: 1 },
    { name: "x", kinds: ["c"], at: 1 },
    { name: "x", kinds: [] },
  ])("is told apart: %j", (value) => {
    expect(() => decode(value, "it")).toThrow(Misfit);
  });

  it("says where it does not fit", () => {
    expect(() => decode({ name: "x", kinds: ["a", "c"], at: 1 }, "it")).toThrow(
      "it.kinds[1] should be a or b",
    );
  });
});
