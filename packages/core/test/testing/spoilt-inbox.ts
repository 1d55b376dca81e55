import { bytesOf, deliveryOf, noon } from "../../src/testing/build-delivery.ts";
import type { InboxSubject, StoredForTest } from "../../src/testing/inbox-contract.ts";
import { createMemoryInbox } from "../../src/testing/memory-inbox.ts";
import type { NewDelivery } from "../../src/event/delivery.ts";
import type { Acceptance } from "../../src/ports/inbox.ts";

/** What is wrong with an inbox; calls count from 1, over all openings. */
export type Spoilt = {
  /** What it stores instead; null for nothing, which it says it has accepted. */
  readonly takes?: (delivery: NewDelivery) => NewDelivery | null;
  readonly answers?: (answer: Acceptance, call: number) => Acceptance;
  readonly shows?: (stored: readonly StoredForTest[], call: number) => readonly StoredForTest[];
  /** What it does when it is opened again: keeps everything, forgets everything, or cannot be. */
  readonly reopens?: "keeps" | "forgets" | "not";
  /** Hears of every call. */
  readonly told?: (line: string) => void;
};

/** An inbox in memory that outlives its openings, and is wrong as it is told. */
export function spoiltInbox(
  spoilt: Spoilt = {},
  inbox: ReturnType<typeof createMemoryInbox> = createMemoryInbox(),
  calls = { append: 0, stored: 0 },
): InboxSubject {
  const {
    takes = (delivery) => delivery,
    answers = (answer) => answer,
    shows = (stored) => stored,
    reopens = "keeps",
    told = () => {},
  } = spoilt;
  const again = async (): Promise<InboxSubject> => {
    told("reopen");
    return spoiltInbox(spoilt, reopens === "keeps" ? inbox : undefined, calls);
  };
  return {
    inbox: {
      append: async (delivery) => {
        told(`append ${words(delivery)}`);
        const [taken, call] = [takes(delivery), (calls.append += 1)];
        return answers(
          taken === null
            ? { kind: "accepted", seq: inbox.stored.length + 1 }
            : await inbox.append(taken),
          call,
        );
      },
    },
    stored: async () => {
      told("look at what is stored");
      return shows(inbox.stored, (calls.stored += 1));
    },
    reopen: reopens === "not" ? null : again,
    close: async () => told("close"),
  };
}

/** The delivery by its id and what is unusual about it. */
function words(delivery: NewDelivery): string {
  const usual = deliveryOf(delivery.id, { digest: "" });
  const unusual = Object.entries({
    ...delivery,
    digest: "",
    body: plain(delivery.body),
    receivedAt: delivery.receivedAt - noon,
  }).filter(
    ([key, value]) =>
      JSON.stringify(value) !==
      JSON.stringify({ ...usual, body: plain(usual.body), receivedAt: 0 }[key]),
  );
  return [delivery.id, ...unusual.map(([key, value]) => `${key}=${String(value)}`)].join(" ");
}

function plain(body: Uint8Array | null): string {
  if (body === null) return "none";
  const text = String.fromCharCode(...body.subarray(0, 40));
  return body.length <= 40 && bytesOf(text).every((byte) => byte >= 32 && byte < 127)
    ? text
    : `${body.length} bytes ${body.subarray(0, 8).join(" ")} … ${body.subarray(-4).join(" ")}`;
}

/** Lines that differ from the one before only in the number of their id, or not at all, as one. */
export function folded(lines: readonly string[]): readonly string[] {
  const rows: { readonly first: string; readonly form: string; last: string; times: number }[] = [];
  for (const line of lines) {
    const form = line.replace(/[0-9]+(?= |$)/, "#");
    const row = rows.at(-1);
    if (row?.form !== form) rows.push({ first: line, form, last: line, times: 1 });
    else Object.assign(row, { last: line, times: row.times + 1 });
  }
  return rows.map(
    ({ first, last, times }) =>
      `  ${first}${first === last ? "" : ` … ${last.split(" ")[1] ?? ""}`}${times === 1 ? "" : `, ${times} times`}`,
  );
}
