import fc from "fast-check";
import { expect, test } from "vitest";
import { readControl } from "../../src/control/keyword.ts";
import { decide } from "../../src/decide/decide.ts";
import { decidedFact, evolve } from "../../src/decide/evolve.ts";
import { defaultWords } from "../../src/control/reason-sentences.ts";
import { mergeTurns } from "../../src/turn/coalesce.ts";
import { renderPrompt } from "../../src/turn/prompt.ts";
import type { Turn } from "../../src/turn/turn.ts";
import { alice, carol, commentEvent, hostNoonMs, mallory } from "../../src/testing/build-event.ts";
import {
  authorsOf,
  issueRef,
  itemOf,
  policyOf,
  sessionOf,
  stateOf,
} from "../../src/testing/build-state.ts";
import type { ItemState } from "../../src/work-item/records.ts";
import { formatRef } from "../../src/ref/ref.ts";
import { turn } from "./build.ts";

const policy = policyOf();
const nonce = "ffffffffffffffffffffffffffffffff";
const merge = mergeTurns({ quietSeconds: 5, maxSeconds: 30, maxPromptChars: 32_000 });

const hostile = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        "words ",
        "\n",
        "```",
        "Receipt: ",
        "<!--",
        "\u2028",
        "\r",
        '"',
        "\\",
        "]",
        "}",
        "\u202e",
        "> ",
        "\u200b",
        "[data ",
        " ends]",
      ),
      { minLength: 1, maxLength: 12 },
    )
    .map((parts) => parts.join("")),
  fc.constantFrom("x".repeat(9_000), "y".repeat(31_000), "z".repeat(40_000)),
);
/** What people do on the thread of an item that is at work: they speak, edit, pause and resume. */
const happenings = fc.array(
  fc.record({
    text: fc.oneof(
      { weight: 6, arbitrary: hostile },
      {
        weight: 1,
        arbitrary: fc.constantFrom("loop pause", "loop resume", "loop add-collaborator @dave"),
      },
    ),
    by: fc.constantFrom(alice, alice, carol, mallory),
    change: fc.constantFrom("created" as const, "created" as const, "edited" as const),
    gap: fc.constantFrom(0, 1, 4, 6, 40),
  }),
  { maxLength: 12 },
);

type Said = { readonly id: string; readonly text: string; readonly mustArrive: boolean };

/** Decides one after another and queues what is to be told, as the store does it. */
function queue(
  plan: readonly { text: string; by: typeof alice; change: "created" | "edited"; gap: number }[],
): { readonly turns: readonly Turn[]; readonly said: readonly Said[] } {
  let item: ItemState = itemOf("started", {
    sessions: [sessionOf()],
    collaborators: [{ login: "carol", id: null, grantedBy: "alice", at: 0 }],
  });
  let clock = hostNoonMs;
  const turns: Turn[] = [];
  const said: Said[] = [];
  for (const [i, { text, by, change, gap }] of plan.entries()) {
    clock += gap * 1000;
    const event = commentEvent(text, {
      by,
      change,
      action: change,
      deliveryId: `d-${i}`,
      key: `k-${i}`,
      comment: { id: String(i) },
    });
    const state = stateOf({ item, now: clock });
    const decision = decide(event, state, policy);
    item = evolve(item, decidedFact(event, decision, state, policy));
    const reading = readControl(text, defaultWords.keywords);
    said.push({
      id: event.deliveryId,
      text,
      mustArrive:
        by !== mallory && /\S/.test(text) && reading.kind === "none" && reading.address === null,
    });
    for (const effect of decision.effects) {
      if (effect.kind !== "turn") continue;
      turns.push(
        turn({
          id: i + 1,
          lane: formatRef(issueRef),
          mode: effect.mode,
          inputs: [
            {
              seq: i,
              deliveryId: event.deliveryId,
              event: effect.event,
              authority: effect.authority,
              receivedAt: clock,
              steered: item.workItem?.steered ?? null,
            },
          ],
        }),
      );
    }
  }
  return { turns, said };
}

/** Takes the lane again and again, and reads out of each prompt what the session is shown. */
function tell(
  turns: readonly Turn[],
  begin: number,
): readonly { readonly id: string; readonly text: string }[] {
  const shown: { id: string; text: string }[] = [];
  let [lane, clock] = [turns, begin];
  while (lane.length > 0) {
    const plan = merge(lane, clock);
    if (plan.kind === "wait") {
      clock = plan.until;
      continue;
    }
    const group = lane.slice(0, 1 + plan.merge.length);
    expect(group.slice(1).map(({ id }) => id)).toEqual(plan.merge);
    const inputs = group.flatMap((each) => each.inputs);
    const prompt = renderPrompt({
      workItem: formatRef(issueRef),
      endpoint: formatRef(issueRef),
      endpointType: "issue",
      mode: "resume",
      kind: "first",
      receipt: "11111111-1111-4111-8111-111111111111",
      inputs,
      interaction: "work-item",
      template: null,
      nonce,
      unfinished: null,
      notes: [],
      authors: authorsOf(),
    });
    if (!prompt.ok) throw new Error("the nonce was guessed");
    const lines = prompt.text.split("\n");
    const data = JSON.parse(
      lines
        .slice(lines.indexOf(`[data ${nonce} begins]`) + 1, lines.indexOf(`[data ${nonce} ends]`))
        .join("\n"),
    ) as readonly { words: readonly { text: string }[] }[];
    // What somebody quotes is a piece of its own.
    for (const [i, { words }] of data.entries()) {
      if (words.length === 0) continue;
      const text = words.map((each) => each.text).join("");
      shown.push({ id: inputs[i]?.deliveryId ?? "", text });
    }
    lane = lane.slice(group.length);
  }
  return shown;
}

test("nothing that people wrote is lost by coalescing, nothing comes twice or out of order, and nothing comes of a stranger", () => {
  let merged = 0;
  fc.assert(
    fc.property(happenings, fc.constantFrom(0, 3, 100), (plan, late) => {
      const { turns, said } = queue(plan);
      const shown = tell(turns, hostNoonMs + late * 1000);
      expect(shown).toEqual(
        said.filter(({ mustArrive }) => mustArrive).map(({ id, text }) => ({ id, text })),
      );
      if (turns.length > 1) merged += 1;
    }),
    { numRuns: 1500 },
  );
  expect(merged).toBeGreaterThan(100);
});

test("the check can fail: a lane that drops the last of what it merges, and words that are cut, are found", () => {
  const { turns, said } = queue([
    { text: "first", by: alice, change: "created", gap: 1 },
    { text: "second", by: carol, change: "created", gap: 1 },
  ]);
  expect(turns).toHaveLength(2);
  const expected = said.map(({ id, text }) => ({ id, text }));
  expect(tell(turns, hostNoonMs + 100_000)).toEqual(expected);
  expect(tell(turns.slice(0, -1), hostNoonMs + 100_000)).not.toEqual(expected);
});
