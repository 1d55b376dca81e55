import { describe, expect, test } from "vitest";
import { formatRef } from "@loopwork/core/ports";
import { issueRef, itemOf, policyOf } from "@loopwork/core/testing";
import { rootRoutes } from "../src/http/root-routes.ts";
import { operations } from "../src/operations/table.ts";
import { badInputs, readDocument, requestOf, requiredOnly } from "./support/document.ts";
import { createPorts } from "./support/ports.ts";
import { samples } from "./support/samples.ts";
import { serve, token } from "./support/serving.ts";

test("table, document and routes agree: each operation is described once, each description is served", async () => {
  const serving = await serve();
  const { document, operations: described } = await readDocument(serving);
  expect(document.openapi).toBe("3.1.0");
  const beside = ["probe", "show-openapi", "stream-events", "show-metrics", "show-dashboard"];
  expect(
    described
      .map(({ id }) => id)
      .filter((id) => !beside.includes(id))
      .toSorted(),
  ).toEqual(operations.map(({ name }) => name).toSorted());
  expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
  for (const operation of operations) {
    const found = described.find(({ id }) => id === operation.name);
    expect(`${found?.method} ${found?.path}`).toBe(
      `${operation.route.method} /api/v1${operation.route.path}`,
    );
  }
  for (const operation of described) {
    const { path, asking } = requestOf(operation, samples[operation.id] ?? {});
    expect((await serving.ask(path, asking)).status, operation.id).toBeLessThan(300);
  }
});

describe("each route answers good input as the document says", async () => {
  test.each(operations.map(({ name }) => name))("%s", async (name) => {
    const serving = await serve();
    const { operations: described, check } = await readDocument(serving);
    const operation = described.find(({ id }) => id === name);
    const sample = samples[name];
    if (operation === undefined || sample === undefined)
      throw new Error(`${name} is not described, or has no sample`);
    for (const input of [sample, requiredOnly(operation, sample)]) {
      const { path, asking } = requestOf(operation, input);
      const answer = await serving.ask(path, asking);
      expect(answer.status, answer.text).toBe(
        operations.find((each) => each.name === name)?.status,
      );
      check(operation, answer);
    }
  });
});

test("learnings are those of the work item's checkout, what ended only when asked for, and none where no checkout stands", async () => {
  const serving = await serve();
  const learned = async (
    query: string,
    ref = "host%3Aocto%2Fshop%237",
  ): Promise<{
    readonly workdir: string | null;
    readonly learnings: {
      readonly items: readonly { readonly id: number }[];
      readonly next: string | null;
    };
  }> => JSON.parse((await serving.ask(`/api/v1/work-items/${ref}/learnings${query}`)).text);
  const ids = async (query: string): Promise<readonly number[]> =>
    (await learned(query)).learnings.items.map(({ id }) => id);
  expect(await ids("")).toEqual([1, 2]);
  expect(await ids("?all=true")).toEqual([1, 2, 3]);
  expect(await ids("?category=general&all=true")).toEqual([2, 3]);
  const first = await learned("?all=true&limit=2");
  expect(await ids(`?all=true&limit=2&cursor=${first.learnings.next}`)).toEqual([3]);
  expect(await learned("", "host%3Aocto%2Fshop%2399")).toMatchObject({
    workdir: null,
    learnings: { items: [], next: null },
  });
});

describe("each route answers bad input with a problem, and does nothing", async () => {
  test.each(operations.map(({ name }) => name))("%s", async (name) => {
    const serving = await serve();
    const { operations: described, check } = await readDocument(serving);
    const operation = described.find(({ id }) => id === name);
    if (operation === undefined) throw new Error(`${name} is not described`);
    const sample = samples[name] ?? {};
    const bad = badInputs(operation, sample);
    expect(bad.length).toBeGreaterThan(0);
    for (const [what, input] of bad) {
      const { path, asking } = requestOf(operation, input);
      const answer = await serving.ask(path, asking);
      expect(answer.status, `${what}: ${answer.text}`).toBe(400);
      check(operation, answer);
    }
    expect(serving.ports.asked).toEqual([]);
  });
});

describe("so does each route beside the operations", async () => {
  test.each(rootRoutes.map(({ object }) => String(object["operationId"])))("%s", async (name) => {
    const serving = await serve();
    const { operations: described, check } = await readDocument(serving);
    const operation = described.find(({ id }) => id === name);
    if (operation === undefined) throw new Error(`${name} is not described`);
    const good = await serving.ask(operation.path);
    expect(good.status).toBe(200);
    check(operation, good);
    for (const [what, input] of name === "stream-events" ? badInputs(operation, {}) : []) {
      const { path, asking } = requestOf(operation, input);
      const answer = await serving.ask(path, asking);
      expect(answer.status, what).toBe(400);
      check(operation, answer);
    }
    const foreign = await serving.ask(operation.path, { headers: { host: "evil.example" } });
    expect(foreign.status).toBe(403);
    check(operation, foreign);
  });
});

test("a problem names the part that does not fit", async () => {
  const serving = await serve();
  const answer = await serving.ask("/api/v1/work-items?limit=0&colour=red");
  expect(answer.json()).toMatchObject({
    status: 400,
    title: "Bad Request",
    code: "LOOP_E_INPUT",
    errors: [{ path: "limit" }, { path: "", message: expect.stringContaining("colour") }],
  });
  expect((await serving.ask("/api/v1/work-items?limit=5&limit=6")).json()).toMatchObject({
    errors: [{ path: "limit", message: "was given twice" }],
  });
});

test.each([
  ["/api/v1/work-items/nothing", {}, 400, "LOOP_E_REF"],
  ["/api/v1/work-items/host%3Aocto%2Fshop%2399", {}, 404, "LOOP_E_UNKNOWN_ITEM"],
  ["/api/v1/work-items/host%3Aocto%2Fshop%2399/transcript", {}, 404, "LOOP_E_NO_TRANSCRIPT"],
  ["/api/v1/work-items/%zz", {}, 400, "LOOP_E_INPUT"],
  ["/api/v1/deliveries/unknown", {}, 404, "LOOP_E_UNKNOWN_DELIVERY"],
  ["/api/v1/deliveries/unknown/why", {}, 404, "LOOP_E_UNKNOWN_DELIVERY"],
  ["/api/v1/deliveries?cursor=bm8", {}, 400, "LOOP_E_PAGE_CURSOR"],
  ["/api/v1/deliveries?cursor=!!", {}, 400, "LOOP_E_PAGE_CURSOR"],
  ["/api/v1/nothing", {}, 404, "LOOP_E_NOT_FOUND"],
  ["/api/v1/Health", {}, 404, "LOOP_E_NOT_FOUND"],
  ["/api/v1/turns", { method: "PATCH" }, 405, "LOOP_E_METHOD"],
  [
    "/api/v1/restart",
    { method: "POST", headers: { "content-type": "application/json" }, body: "[]" },
    400,
    "LOOP_E_INPUT",
  ],
  [
    "/api/v1/restart",
    { method: "POST", headers: { "content-type": "application/json" }, body: "{" },
    400,
    "LOOP_E_BODY_JSON",
  ],
  [
    "/api/v1/restart",
    {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: Buffer.from([0x22, 0xff, 0x22]),
    },
    400,
    "LOOP_E_BODY_JSON",
  ],
  [
    "/api/v1/restart",
    {
      method: "POST",
      headers: { "content-type": "application/json", "content-encoding": "gzip" },
      body: "{}",
    },
    415,
    "LOOP_E_BODY_COMPRESSED",
  ],
  [
    "/api/v1/restart?withUpgrade=true",
    { method: "POST", headers: { "content-type": "application/json" }, body: "{}" },
    400,
    "LOOP_E_INPUT",
  ],
])("%s with %j is %i %s", async (path, asking, status, code) => {
  const serving = await serve();
  const answer = await serving.ask(path, asking);
  expect(answer).toMatchObject({
    status,
    headers: { "content-type": "application/problem+json; charset=utf-8" },
  });
  expect(answer.json()).toMatchObject({ status, code, hint: expect.stringMatching(/\w/) });
});

test("a body of any size over the limit is refused without being kept", async () => {
  const serving = await serve();
  const long = {
    ...{ method: "POST", headers: { "content-type": "application/json" } },
    body: JSON.stringify({ text: "x".repeat(600_000) }),
  };
  expect(await serving.ask("/api/v1/work-items/host%3Aocto%2Fshop%237/say", long)).toMatchObject({
    status: 413,
    headers: { connection: "close" },
  });
  const streamed = await fetch(`${serving.url}/api/v1/work-items/host%3Aocto%2Fshop%237/say`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: endless(600_000),
    duplex: "half",
  });
  expect(streamed.status).toBe(413);
  expect(serving.ports.asked).toEqual([]);
});

test("pages follow each other and end, whatever is added meanwhile", async () => {
  const serving = await serve();
  const seen: number[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const page = (
      await serving.ask(`/api/v1/deliveries?limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`)
    ).json() as { items: { seq: number }[]; next: string | null };
    seen.push(...page.items.map(({ seq }) => seq));
    const { deliveries } = serving.ports.records;
    const newest = deliveries.at(-1);
    if (newest !== undefined)
      deliveries.push({ ...newest, seq: newest.seq + 1, id: `late-${newest.seq}` });
    cursor = page.next;
  }
  expect(seen).toEqual([3, 2, 1]);
});

test("a fault is told to the service's log, and the asker learns only that there was one", async () => {
  const serving = await serve();
  const broken = new Error("secret detail");
  const failing = await serve({
    ports: { ...serving.ports, health: () => Promise.reject(broken) },
  });
  const answer = await failing.ask("/api/v1/health");
  expect(answer.json()).toMatchObject({ status: 500, code: "LOOP_E_INTERNAL" });
  expect(answer.text).not.toContain("secret");
  expect(failing.faults).toEqual([broken]);
});

function endless(bytes: number): ReadableStream<Uint8Array> {
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      if (left <= 0) return controller.close();
      controller.enqueue(new Uint8Array(10_000).fill(120));
      left -= 10_000;
    },
  });
}

test("what an instance manages is told page by page, declared items and others in one order, each once", async () => {
  const refs = Array.from({ length: 9 }, (_, n) => formatRef({ ...issueRef, number: n + 1 }));
  const declared = [refs[8], refs[1], refs[6]].flatMap((ref) => ref ?? []);
  const ports = createPorts();
  const serving = await serve({
    ports: {
      ...ports,
      policy: () =>
        policyOf({ instance: { ...policyOf().instance, workItems: new Set(declared) } }),
    },
  });
  ports.records.states.clear();
  for (const ref of refs.slice(0, 6))
    ports.records.states.set(ref, itemOf("started", { workItem: { ref } }));
  const seen: string[] = [];
  let cursor = "";
  do {
    const { managed, next } = (await serving.ask(`/api/v1/instance?limit=2${cursor}`)).json() as {
      managed: { ref: string; sources: string[] }[];
      next: string | null;
    };
    expect(managed.length).toBeLessThanOrEqual(2);
    seen.push(...managed.map(({ ref, sources }) => `${ref} ${sources.join(" ")}`));
    cursor = next === null ? "" : `&cursor=${next}`;
  } while (cursor !== "");
  expect(seen).toEqual([
    `${refs[0]} control`,
    `${refs[1]} declared control`,
    ...refs.slice(2, 6).map((ref) => `${ref} control`),
    `${refs[6]} declared`,
    `${refs[8]} declared`,
  ]);
});
