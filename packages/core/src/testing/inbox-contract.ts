import type { NewDelivery } from "../delivery/delivery.ts";
import type { Acceptance, Inbox } from "../ports/inbox.ts";
import { bytesOf as bytes, deliveryOf, digestOf, noon } from "./build-delivery.ts";
import { differs, same, sameBytes } from "./same.ts";

/** One inbox under test, with what a test must see and do beyond the port. */
export type InboxSubject = {
  readonly inbox: Inbox;
  /** Every delivery that is stored, by `seq`. */
  stored(): Promise<readonly StoredForTest[]>;
  /**
   * Closes and opens again what the inbox writes to; null when it has no memory beyond its life.
   */
  readonly reopen: (() => Promise<InboxSubject>) | null;
  close(): Promise<void>;
};

export type StoredForTest = Pick<
  NewDelivery,
  "id" | "source" | "event" | "verified" | "receivedAt" | "digest" | "ignored"
> & {
  readonly seq: number;
  readonly body: Uint8Array | null;
};

/**
 * A rule of the inbox port; `run` rejects with a plain error that names what differs. A fresh,
 * empty subject each time.
 */
export type InboxRow = {
  readonly id: string;
  readonly title: string;
  /**
   * True: needs `reopen`. A runner may leave the row out only for an inbox that cannot be opened
   * again.
   */
  readonly durable: boolean;
  run(subject: InboxSubject): Promise<void>;
};

const day = 24 * 60 * 60 * 1000;

/** The inbox contract. */
export const inboxContract: readonly InboxRow[] = [
  row("I01", "a new delivery is accepted and stored as it came", async ({ inbox, stored }) => {
    const delivery = deliveryOf("a-1", { receivedAt: noon + 7 });
    const answer = await inbox.append(delivery);
    if (answer.kind !== "accepted" || !Number.isSafeInteger(answer.seq) || answer.seq < 1)
      throw differs("answer", answer, "accepted with a seq of 1 or more");
    sameDeliveries(await stored(), [{ ...delivery, seq: answer.seq }]);
  }),
  row(
    "I02",
    "the same id again is a duplicate and changes nothing, whatever else differs",
    async ({ inbox, stored }) => {
      const first = deliveryOf("a-1");
      const seq = seqOf(await inbox.append(first));
      same("same delivery", await inbox.append(first), { kind: "duplicate", why: "id", of: "a-1" });
      same(
        "other body",
        await inbox.append(
          deliveryOf("a-1", { body: bytes("{}"), event: "status", verified: false }),
        ),
        { kind: "duplicate", why: "id", of: "a-1" },
      );
      sameDeliveries(await stored(), [{ ...first, seq }]);
    },
  ),
  row("I03", "R03: the same id many times at once is accepted once", async ({ inbox, stored }) => {
    for (const [id, times] of [
      ["twice", 2],
      ["often", 100],
    ] as const) {
      const answers = await Promise.all(
        Array.from({ length: times }, () => inbox.append(deliveryOf(id))),
      );
      same(`${id}: accepted`, answers.filter((answer) => answer.kind === "accepted").length, 1);
      for (const answer of answers)
        if (answer.kind !== "accepted")
          same(`${id}: another answer`, answer, { kind: "duplicate", why: "id", of: id });
    }
    same(
      "stored",
      (await stored()).map((each) => each.id),
      ["twice", "often"],
    );
  }),
  row(
    "I04",
    "R04: a verified body under a new id is a replay of the first",
    async ({ inbox, stored }) => {
      const body = bytes(`{"comment":"loop start"}`);
      await inbox.append(deliveryOf("first", { body }));
      same("second id", await inbox.append(deliveryOf("second", { body })), {
        kind: "duplicate",
        why: "replay",
        of: "first",
      });
      same("third id", await inbox.append(deliveryOf("third", { body, receivedAt: noon + day })), {
        kind: "duplicate",
        why: "replay",
        of: "first",
      });
      same(
        "stored",
        (await stored()).map((each) => each.id),
        ["first"],
      );
    },
  ),
  row("I05", "R04: replays at once are accepted once", async ({ inbox, stored }) => {
    const body = bytes(`{"comment":"loop start"}`);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => inbox.append(deliveryOf(`r-${n}`, { body }))),
    );
    same("accepted", answers.filter((answer) => answer.kind === "accepted").length, 1);
    same("stored", (await stored()).length, 1);
  }),
  row("I06", "a body counts as replayed for 7 days", async ({ inbox }) => {
    const body = bytes("{}");
    await inbox.append(deliveryOf("old", { body }));
    same(
      "just inside",
      (await inbox.append(deliveryOf("inside", { body, receivedAt: noon + 7 * day - 1 }))).kind,
      "duplicate",
    );
    same(
      "outside",
      (await inbox.append(deliveryOf("outside", { body, receivedAt: noon + 7 * day + 1 }))).kind,
      "accepted",
    );
    same(
      "inside of the later one",
      await inbox.append(deliveryOf("again", { body, receivedAt: noon + 9 * day })),
      { kind: "duplicate", why: "replay", of: "outside" },
    );
  }),
  row("I07", "another event with the same body is no replay", async ({ inbox }) => {
    const body = bytes("{}");
    await inbox.append(deliveryOf("one", { body, event: "issues" }));
    same(
      "answer",
      (await inbox.append(deliveryOf("two", { body, event: "status" }))).kind,
      "accepted",
    );
  }),
  row("I08", "what was not verified neither is a replay nor makes one", async ({ inbox }) => {
    const body = bytes("{}");
    for (const [id, verified] of [
      ["u-1", false],
      ["u-2", false],
      ["v-1", true],
      ["u-3", false],
    ] as const) {
      same(id, (await inbox.append(deliveryOf(id, { body, verified }))).kind, "accepted");
    }
  }),
  row("I09", "a replay that is allowed is accepted", async ({ inbox }) => {
    const body = bytes("{}");
    await inbox.append(deliveryOf("one", { body, allowReplay: true }));
    same(
      "answer",
      (await inbox.append(deliveryOf("two", { body, allowReplay: true }))).kind,
      "accepted",
    );
    same(
      "same id",
      (await inbox.append(deliveryOf("two", { body, allowReplay: true }))).kind,
      "duplicate",
    );
  }),
  row("I10", "seq follows the order of acceptance", async ({ inbox }) => {
    let last = 0;
    for (const id of ["s-1", "s-2", "s-3"]) {
      const seq = seqOf(await inbox.append(deliveryOf(id)));
      if (seq <= last) throw differs(id, seq, `a seq over ${last}`);
      last = seq;
    }
  }),
  row(
    "I11",
    "R13: 500 at once are all accepted, each with its own seq",
    async ({ inbox, stored }) => {
      const answers = await Promise.all(
        Array.from({ length: 500 }, (_, n) => inbox.append(deliveryOf(`storm-${n}`))),
      );
      same("seqs", new Set(answers.map(seqOf)).size, 500);
      const all = await stored();
      same("stored", new Set(all.map((each) => each.id)).size, 500);
      same(
        "in order",
        all.every(({ seq }, n) => seq > (all[n - 1]?.seq ?? 0)),
        true,
      );
    },
  ),
  row("I12", "bodies come back byte for byte", async ({ inbox, stored }) => {
    const every = Uint8Array.from({ length: 256 }, (_, n) => n);
    const large = new Uint8Array(2 * 1024 * 1024 + 3);
    for (let at = 0; at < large.length; at += every.length)
      large.set(every.subarray(0, large.length - at), at);
    const invalid = Uint8Array.from([0xff, 0xfe, 0x00, 0xed, 0xa0, 0x80]);
    const given = Object.entries({ every, large, invalid }).map(([id, body]) =>
      deliveryOf(id, { body, digest: digestOf(null, id) }),
    );
    const kept = await appendEach(inbox, given);
    sameDeliveries(await stored(), kept);
  }),
  row(
    "I13",
    "R18: of an ignored delivery the id and the reason are kept",
    async ({ inbox, stored }) => {
      const given = (["event-not-listed", "ping", "unknown-event"] as const).map((ignored) =>
        deliveryOf(`i-${ignored}`, { ignored, body: null, digest: digestOf(null, ignored) }),
      );
      const kept = await appendEach(inbox, given);
      same("again", (await inbox.append(deliveryOf("i-ping"))).kind, "duplicate");
      sameDeliveries(await stored(), kept);
    },
  ),
  row("I14", "ids are compared exactly, and none is special", async ({ inbox }) => {
    for (const id of [
      "constructor",
      "toString",
      "hasOwnProperty",
      "a",
      "A",
      "-",
      "0",
      "00",
      "x".repeat(128),
      `${"x".repeat(127)}y`,
    ]) {
      same(id, (await inbox.append(deliveryOf(id))).kind, "accepted");
    }
  }),
  row("I15", "sources and unverified deliveries keep their marks", async ({ inbox, stored }) => {
    const given = (["webhook", "poll", "cli", "api"] as const).map((source, n) =>
      deliveryOf(`m-${source}`, {
        source,
        verified: n % 2 === 0,
        event: source === "cli" ? "control" : "issues",
      }),
    );
    const kept = await appendEach(inbox, given);
    sameDeliveries(await stored(), kept);
  }),
  row(
    "I16",
    "what was accepted is there after opening again, and still known",
    async (subject) => {
      const body = bytes(`{"n":1}`);
      const before = await subject.inbox.append(deliveryOf("kept", { body }));
      await subject.inbox.append(deliveryOf("ignored", { ignored: "ping", body: null }));
      const kept = await subject.stored();
      await reopened(subject, async ({ inbox, stored }) => {
        sameDeliveries(await stored(), kept);
        same("same id", await inbox.append(deliveryOf("kept")), {
          kind: "duplicate",
          why: "id",
          of: "kept",
        });
        same("ignored id", (await inbox.append(deliveryOf("ignored"))).kind, "duplicate");
        same("same body", await inbox.append(deliveryOf("other", { body })), {
          kind: "duplicate",
          why: "replay",
          of: "kept",
        });
        const after = seqOf(await inbox.append(deliveryOf("next")));
        if (after <= seqOf(before))
          throw differs("seq after opening again", after, `over ${seqOf(before)}`);
      });
    },
    true,
  ),
  row(
    "I17",
    "nothing is lost over many openings",
    async (subject) => {
      let current = subject;
      for (let round = 0; round < 4; round += 1) {
        await Promise.all(
          Array.from({ length: 20 }, (_, n) => current.inbox.append(deliveryOf(`o-${round}-${n}`))),
        );
        if (current.reopen === null) throw new Error("the subject cannot be opened again");
        current = await current.reopen();
        same(`after opening ${round + 1}`, (await current.stored()).length, 20 * (round + 1));
      }
      await current.close();
    },
    true,
  ),
];

function row(
  id: string,
  title: string,
  run: (subject: InboxSubject) => Promise<void>,
  durable: boolean = false,
): InboxRow {
  return { id, title, durable, run };
}

async function reopened(
  subject: InboxSubject,
  check: (again: InboxSubject) => Promise<void>,
): Promise<void> {
  if (subject.reopen === null) throw new Error("the subject cannot be opened again");
  const again = await subject.reopen();
  try {
    await check(again);
  } finally {
    await again.close();
  }
}

async function appendEach(
  inbox: Inbox,
  given: readonly NewDelivery[],
): Promise<readonly (NewDelivery & { readonly seq: number })[]> {
  const kept: (NewDelivery & { readonly seq: number })[] = [];
  for (const delivery of given)
    kept.push({ ...delivery, seq: seqOf(await inbox.append(delivery)) });
  return kept;
}

function seqOf(answer: Acceptance): number {
  if (answer.kind !== "accepted") throw differs("answer", answer, "accepted");
  return answer.seq;
}

function sameDeliveries(
  actual: readonly StoredForTest[],
  expected: readonly (NewDelivery & { readonly seq: number })[],
): void {
  same("number of deliveries", actual.length, expected.length);
  for (const [n, want] of expected.entries()) {
    const got = actual[n];
    for (const key of [
      "seq",
      "id",
      "source",
      "event",
      "verified",
      "receivedAt",
      "digest",
      "ignored",
    ] as const)
      same(`delivery ${n}, ${key}`, got?.[key], want[key]);
    if (!sameBytes(got?.body ?? null, want.body))
      throw differs(
        `delivery ${n}, body`,
        `${got?.body?.length ?? "no"} bytes`,
        `${want.body?.length ?? "no"} bytes, all equal`,
      );
  }
}
