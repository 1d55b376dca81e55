import { promptText } from "../../src/message/prompt-text.ts";
import { describe, expect, test } from "vitest";
import type { HarnessCapabilities, Turns } from "../../src/ports/harness.ts";
import { adapterContract, adapterRows } from "../../src/testing/adapter/index.ts";
import type { AdapterStage } from "../../src/testing/adapter/stage.ts";
import { openTinyStage } from "./tiny-harness.ts";

/** Ids of the rows that an adapter does not keep. */
async function red(open: () => AdapterStage): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const row of adapterContract(open().turns.capabilities))
    await row.run(open()).catch(() => failed.push(row.id));
  return failed;
}

/** A stage whose adapter is wrong in one respect. */
function wrong(
  receipts: boolean,
  spoil: (turns: Turns, stage: AdapterStage) => Partial<Turns>,
  more: (stage: AdapterStage) => Partial<AdapterStage> = () => ({}),
): () => AdapterStage {
  return () => {
    const stage = openTinyStage({ receipts });
    return { ...stage, turns: { ...stage.turns, ...spoil(stage.turns, stage) }, ...more(stage) };
  };
}

const claims = (turns: Turns, capabilities: Partial<HarnessCapabilities>): Partial<Turns> => ({
  capabilities: { ...turns.capabilities, ...capabilities },
});
const done = { kind: "done", denials: [], usd: 1, minutes: 1 } as const;

describe("an adapter that is right keeps every row", () => {
  test.each([true, false])("with receipts: %j", async (receipts) => {
    expect(await red(() => openTinyStage({ receipts }))).toEqual([]);
  });
});

describe("an adapter that is wrong goes red where it is wrong, and nowhere else", () => {
  test("it takes exit code 0 for the end of a turn", async () => {
    const trusting = wrong(true, ({ outcome }) => ({
      outcome: (observed) => (observed.end.code === 0 ? done : outcome(observed)),
    }));
    expect(await red(trusting)).toEqual([
      "AD-end-01",
      "AD-end-02",
      "AD-end-03",
      "AD-end-04",
      "AD-end-05",
      "AD-end-06",
      "AD-end-07",
      "AD-end-08",
      "AD-end-09",
      "AD-end-10",
      "AD-end-11",
      "AD-end-14",
      "AD-end-16",
      "AD-receipt-01",
      "AD-receipt-02",
      "AD-receipt-03",
    ]);
  });

  test("it takes a child that was killed for one that was through", async () => {
    expect(
      await red(
        wrong(true, ({ outcome }) => ({
          outcome: (observed) => (observed.end.signal === null ? outcome(observed) : done),
        })),
      ),
    ).toEqual(["AD-end-13", "AD-end-17"]);
  });

  test("it hands the prompt over as an argument", async () => {
    expect(
      await red(
        wrong(true, ({ plan }) => ({
          plan: (request) => ({
            ...plan(request),
            argv: ["tiny", request.mode, request.sessionId, request.prompt],
          }),
        })),
      ),
    ).toEqual(["AD-prompt-03"]);
  });

  test("it begins anew where it should resume", async () => {
    const forgetful = wrong(false, ({ plan }) => ({
      plan: (request) =>
        plan({
          ...request,
          mode: "start",
          sessionId: request.mode === "start" ? request.sessionId : `${request.sessionId}-again`,
        }),
    }));
    expect(await red(forgetful)).toEqual([
      "AD-conversation-01",
      "AD-conversation-03",
      "AD-conversation-04",
      "AD-conversation-05",
      "AD-end-12",
      "AD-end-13",
    ]);
  });

  test("it cuts long prompts", async () => {
    expect(
      await red(
        wrong(true, ({ plan }) => ({
          plan: (request) =>
            plan({ ...request, prompt: promptText(request.prompt.slice(0, 10_000)) }),
        })),
      ),
    ).toEqual(["AD-prompt-02"]);
  });

  test("it keeps the turn's own variables to itself", async () => {
    expect(
      await red(
        wrong(true, ({ plan }) => ({
          plan: (request) => plan({ ...request, env: { PATH: "/bin" } }),
        })),
      ),
    ).toEqual(["AD-environment-01"]);
  });

  test("it claims to tell a bill from other troubles, and cannot", async () => {
    expect(
      await red(
        wrong(true, ({ outcome }) => ({
          outcome: (observed) => unclear(outcome(observed), "billing"),
        })),
      ),
    ).toEqual(["AD-end-08"]);
  });

  test("it tells troubles that it does not claim to tell", async () => {
    expect(
      await red(
        wrong(true, (turns) =>
          claims(turns, {
            tells: turns.capabilities.tells.filter((trouble) => trouble !== "no-credit"),
          }),
        ),
      ),
    ).toEqual(["AD-end-08"]);
  });

  test("it claims receipts that its harness does not have", async () => {
    expect(await red(wrong(false, (turns) => claims(turns, { receipts: true })))).toEqual([
      "AD-conversation-01",
      "AD-end-18",
      "AD-receipt-02",
      "AD-crash-01",
      "AD-crash-02",
      "AD-crash-03",
      "AD-crash-04",
      "AD-crash-06",
      "AD-crash-07",
      "AD-crash-08",
      "AD-crash-09",
    ]);
  });

  test("it takes what it does not know for never sent, which would send a message twice", async () => {
    expect(
      await red(
        wrong(false, ({ evidence }) => ({
          evidence: async (attempt) =>
            (await evidence(attempt)).kind === "done"
              ? evidence(attempt)
              : { kind: "absent", sessionExists: true },
        })),
      ),
    ).toEqual(["AD-crash-10"]);
  });

  test("it takes an interrupted command for a message that was only asked", async () => {
    expect(
      await red(
        wrong(true, ({ evidence }) => ({
          evidence: async (attempt) =>
            (await evidence(attempt)).kind === "interrupted"
              ? { kind: "asked-only" }
              : evidence(attempt),
        })),
      ),
    ).toEqual(["AD-crash-04"]);
  });

  test("its trust throws for a bad file and writes each time, its hooks answer to anything, its program is not there", async () => {
    const rude = wrong(
      true,
      () => ({
        probe: async () => ({
          found: false,
          command: "tiny",
          version: null,
          tested: false,
          login: "unknown",
          hint: null,
        }),
      }),
      ({ trust, hooks }) => ({
        trust: {
          check: trust.check,
          async prepare(request) {
            const result = await trust.prepare(request);
            if (result.kind === "failed") throw new Error(result.why);
            return { kind: "written", file: "trust", keys: [] };
          },
        },
        hooks: {
          ...hooks,
          parse: (stdin, env) =>
            hooks.parse(stdin.startsWith("tool:") ? stdin : `tool:${stdin}`, env),
        },
      }),
    );
    expect(await red(rude)).toEqual(["AD-trust-01", "AD-trust-02", "AD-probe-01", "AD-hook-02"]);
  });

  test("it claims a stop gate without hooks, and hands out one id twice", async () => {
    const boasting = wrong(
      true,
      (turns) => claims(turns, { stopGateInHeadless: true }),
      ({ program }) => ({
        program: { ...program, hookInput: async () => null },
        newConversation: async () => ({ kind: "made", id: "one" }),
      }),
    );
    expect(await red(boasting)).toEqual(["AD-conversation-02", "AD-receipt-05", "AD-hook-01"]);
  });
});

test("ids of rows are names: each stands once, and what an adapter disclaims has a row as well", () => {
  expect(new Set(adapterRows.map(({ id }) => id)).size).toBe(adapterRows.length);
  const all = [true, false].flatMap((receipts) =>
    adapterContract(openTinyStage({ receipts }).turns.capabilities),
  );
  expect(new Set(all).size).toBe(adapterRows.length);
});

function unclear<O extends { readonly kind: string }>(
  outcome: O,
  kind: string,
): O | { readonly kind: "unclear"; readonly detail: string } {
  return outcome.kind === kind ? { kind: "unclear", detail: "?" } : outcome;
}
