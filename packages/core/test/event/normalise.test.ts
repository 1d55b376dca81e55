import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePayload } from "../../src/event/parse-payload.ts";
import type { InboundEvent } from "../../src/event/event.ts";
import { normalise } from "../../src/event/normalise.ts";
import { change, example, examples } from "./payloads.ts";

const settings = { defaultHost: "github.com" };

function read(event: string, payload: unknown, id = "d-1"): InboundEvent {
  const result = normalise({ id, source: "webhook", event }, payload, settings);
  if (!result.ok) throw new Error(`refused: ${result.why}`);
  return result.event;
}

describe("every example of the nine events", () => {
  it("is there: 103", () => {
    expect(examples).toHaveLength(103);
  });

  it.each(examples.map((each) => [each.title, each] as const))(
    "%s is understood",
    (_title, { event, payload }) => {
      const understood = read(event, payload);
      expect(understood.event).toBe(event);
      expect(understood.action).toBe(payload["action"] ?? "");
      expect(understood.repository.host).toBeNull();
      expect(understood.key).not.toContain("null");
      expect(understood.key).not.toContain("undefined");
      expect(
        JSON.parse(JSON.stringify(understood)),
        "what is kept says all that the event says",
      ).toEqual(understood);
    },
  );

  it("becomes the kinds that it should", () => {
    const counts: Record<string, number> = {};
    for (const { event, payload } of examples) {
      const { kind, action } = read(event, payload);
      const name = kind === "activity" ? `${event} ${kind}` : `${event} ${kind} ${action}`;
      counts[name] = (counts[name] ?? 0) + 1;
    }
    expect(counts).toMatchInlineSnapshot(`
      {
        "check_run ci completed": 3,
        "check_run ci created": 3,
        "check_run ci requested_action": 1,
        "check_run ci rerequested": 2,
        "check_suite ci completed": 4,
        "check_suite ci requested": 3,
        "check_suite ci rerequested": 2,
        "issue_comment comment created": 5,
        "issue_comment comment deleted": 2,
        "issue_comment comment edited": 2,
        "issues activity": 23,
        "issues closed deleted": 1,
        "issues closed transferred": 1,
        "issues label labeled": 2,
        "issues label unlabeled": 2,
        "pull_request activity": 23,
        "pull_request closed closed": 2,
        "pull_request label labeled": 2,
        "pull_request label unlabeled": 2,
        "pull_request_review activity": 1,
        "pull_request_review comment submitted": 3,
        "pull_request_review_comment comment created": 3,
        "pull_request_review_comment comment deleted": 1,
        "pull_request_review_comment comment edited": 1,
        "status ci ": 4,
        "workflow_run ci completed": 3,
        "workflow_run ci requested": 2,
      }
    `);
  });

  it("R20 has the same key when it is delivered again, and only what happened to the same thing shares one", () => {
    const meaning = new Map<string, string>();
    for (const { event, payload } of examples) {
      const first = read(event, payload, "a");
      const again = read(event, structuredClone(payload), "b");
      if (first.action !== "rerequested" && first.action !== "requested_action")
        expect(again.key).toBe(first.key);
      // The set shows one happening in several settings (with an installation, an organisation …):
      // those agree in this.
      const happened = JSON.stringify([
        event,
        first.action,
        first.repository.name,
        "item" in first ? first.item.number : null,
      ]);
      expect(meaning.get(first.key) ?? happened).toBe(happened);
      meaning.set(first.key, happened);
    }
  });
});

describe("R05 a body under the header of another event", () => {
  const names = [...new Set(examples.map((each) => each.event))];

  it.each(names)("is refused: %s", (header) => {
    for (const { event, payload, title } of examples) {
      if (event === header) continue;
      const result = normalise({ id: "d", source: "webhook", event: header }, payload, settings);
      expect(result, `${title} under ${header}`).toEqual({ ok: false, why: "shape" });
    }
  });
});

describe("R10 odd payloads", () => {
  it.each([
    ["{}"],
    ['{"action":"opened"}'],
    ['{"action":"opened","issue":{},"repository":{}}'],
    ['{"issue":[]}'],
  ])("%s is refused", (text) => {
    const parsed = parsePayload(text);
    if (!parsed.ok) throw new Error("no object");
    for (const name of [
      "issues",
      "issue_comment",
      "pull_request",
      "pull_request_review",
      "pull_request_review_comment",
      "workflow_run",
      "check_run",
      "check_suite",
      "status",
    ])
      expect(
        normalise({ id: "d", source: "webhook", event: name }, parsed.payload, settings),
      ).toEqual({ ok: false, why: "shape" });
  });

  it.each([[null], [[]], ["x"], [3], [undefined]])("%j is no object", (payload) => {
    expect(normalise({ id: "d", source: "webhook", event: "issues" }, payload, settings)).toEqual({
      ok: false,
      why: "not-an-object",
    });
  });

  it("a key named __proto__ changes nothing", () => {
    const parsed = parsePayload(
      JSON.stringify(example("issues", "opened")).replace(
        "{",
        '{"__proto__":{"issue":{"number":9},"polluted":true},',
      ),
    );
    if (!parsed.ok) throw new Error("no object");
    const event = read("issues", parsed.payload);
    expect(event.kind === "activity" && event.item.number).toBe(1);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    expect("polluted" in event).toBe(false);
  });

  it("never throws, whatever the values are", () => {
    const junk = fc.anything({ maxDepth: 3, withNullPrototype: true });
    fc.assert(
      fc.property(
        fc.constantFrom(...examples),
        fc.array(fc.tuple(fc.nat(200), junk), { maxLength: 4 }),
        ({ event, payload }, changes) => {
          const paths = pathsOf(payload, "");
          let changed = payload;
          for (const [pick, value] of changes)
            changed = change(changed, { [paths[pick % paths.length] ?? "action"]: value });
          const result = normalise({ id: "d", source: "webhook", event }, changed, settings);
          if (result.ok) expect(typeof result.event.key).toBe("string");
        },
      ),
      { numRuns: 3000 },
    );
  });
});

function pathsOf(value: unknown, prefix: string, depth = 0): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value) || depth > 2) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key.includes(".") ? [] : [prefix + key, ...pathsOf(inner, `${prefix}${key}.`, depth + 1)],
  );
}
