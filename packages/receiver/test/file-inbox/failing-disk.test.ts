import { InboxUnavailable } from "@loopwork/core/ports";
import { deliveryOf } from "@loopwork/core/testing";
import { describe, expect, test } from "vitest";
import { type Disk, realDisk } from "../../src/file-inbox/disk.ts";
import { opening, storedIn, temporaryFolder } from "./opening.ts";

type Fault = { write?: Error | "short"; flush?: Error; truncate?: Error; create?: Error };

/** The real disk, less what a test takes away while it runs. */
function failingDisk(fault: Fault): Disk {
  return {
    create: async (...args) => {
      if (fault.create !== undefined) throw fault.create;
      const file = await realDisk.create(...args);
      return {
        ...file,
        write: async (buffers, offset) => {
          if (fault.write === "short")
            await file.write([Buffer.concat(buffers).subarray(0, 40)], offset);
          if (fault.write !== undefined)
            throw fault.write === "short" ? new Error("only 40 bytes were written") : fault.write;
          await file.write(buffers, offset);
        },
        flush: async () => {
          if (fault.flush !== undefined) throw fault.flush;
          await file.flush();
        },
        truncate: async (length) => {
          if (fault.truncate !== undefined) throw fault.truncate;
          await file.truncate(length);
        },
      };
    },
  };
}

const full = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });

describe("D02 a disk that fails", () => {
  test.each([
    ["create", { create: full }],
    ["write", { write: full }],
    ["short write", { write: "short" as const }],
  ])(
    "%s: refused while it lasts, accepted afterwards, stored equals acknowledged",
    async (_, broken) => {
      const folder = temporaryFolder();
      const fault: Fault = {};
      const inbox = await opening(folder, { disk: failingDisk(fault), segmentBytes: 600 });
      await inbox.append(deliveryOf("before"));
      Object.assign(fault, broken);
      const refused = await Promise.allSettled(
        ["x-1", "x-2", "x-3", "x-4"].map((id) => inbox.append(deliveryOf(id))),
      );
      expect(
        refused.every(
          (each) => each.status === "rejected" && each.reason instanceof InboxUnavailable,
        ) || _ === "create",
      ).toBe(true);
      const acknowledged = refused.flatMap((each, n) =>
        each.status === "fulfilled" ? [`x-${n + 1}`] : [],
      );
      for (const key of ["create", "write"] as const) delete fault[key];
      expect((await inbox.append(deliveryOf("x-4"))).kind).toBe(
        acknowledged.includes("x-4") ? "duplicate" : "accepted",
      );
      const expected = new Set(["before", ...acknowledged, "x-4"]);
      expect(new Set(storedIn(inbox).map((each) => each.id))).toEqual(expected);
      await inbox.close();
      const again = await opening(folder);
      expect(again.damage).toEqual([]);
      expect(new Set(storedIn(again).map((each) => each.id))).toEqual(expected);
    },
  );

  test.each([
    ["a failed flush", { flush: full }],
    ["a failed write that cannot be cut back", { write: "short" as const, truncate: full }],
  ])("after %s nothing more is accepted until the inbox is opened anew", async (_, broken) => {
    const folder = temporaryFolder();
    const fault: Fault = {};
    const inbox = await opening(folder, { disk: failingDisk(fault) });
    await inbox.append(deliveryOf("before"));
    Object.assign(fault, broken);
    await expect(inbox.append(deliveryOf("x-1"))).rejects.toBeInstanceOf(InboxUnavailable);
    for (const key of ["flush", "write", "truncate"] as const) delete fault[key];
    await expect(inbox.append(deliveryOf("x-2"))).rejects.toMatchObject({
      code: "LOOP_E_STORE_UNAVAILABLE",
      message: expect.stringContaining("opened anew"),
    });
    await expect(inbox.append(deliveryOf("before"))).rejects.toBeInstanceOf(InboxUnavailable);
    await expect(inbox.failed).resolves.toBeInstanceOf(Error);
    await inbox.close();
    const again = await opening(folder);
    expect(storedIn(again)[0]?.id).toBe("before");
    expect((await again.append(deliveryOf("x-2"))).kind).toBe("accepted");
  });

  test("a repeated id whose first delivery is not durable yet shares its fate", async () => {
    const fault: Fault = { write: full };
    const inbox = await opening(temporaryFolder(), { disk: failingDisk(fault) });
    const answers = await Promise.allSettled([
      inbox.append(deliveryOf("a")),
      inbox.append(deliveryOf("a")),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual(["rejected", "rejected"]);
    delete fault.write;
    expect((await inbox.append(deliveryOf("a"))).kind).toBe("accepted");
  });

  test("neither an acknowledgement nor a reader is ahead of the flush", async () => {
    let gate: Promise<void> | null = null;
    const disk: Disk = {
      create: async (...args) => {
        const file = await realDisk.create(...args);
        return { ...file, flush: () => gate ?? file.flush() };
      },
    };
    const inbox = await opening(temporaryFolder(), { disk });
    await inbox.append(deliveryOf("durable"));
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    let acknowledged = false;
    const appending = inbox.append(deliveryOf("written")).then(() => {
      acknowledged = true;
    });
    await new Promise((wake) => setTimeout(wake, 50));
    expect(acknowledged).toBe(false);
    expect(storedIn(inbox).map((each) => each.id)).toEqual(["durable"]);
    resolve();
    await appending;
    expect(storedIn(inbox).map((each) => each.id)).toEqual(["durable", "written"]);
  });

  test("while one flush is under way others gather and share the next one", async () => {
    let flushes = 0;
    const disk: Disk = {
      create: async (...args) => {
        const file = await realDisk.create(...args);
        return {
          ...file,
          flush: () => (
            (flushes += 1),
            new Promise((resolve) => setTimeout(resolve, 20)).then(() => file.flush())
          ),
        };
      },
    };
    const inbox = await opening(temporaryFolder(), { disk });
    await Promise.all(Array.from({ length: 300 }, (_, n) => inbox.append(deliveryOf(`g-${n}`))));
    expect(flushes).toBeLessThanOrEqual(3);
  });
});

test("closing commits what waits, and refuses what comes later", async () => {
  const folder = temporaryFolder();
  const inbox = await opening(folder);
  const waiting = Array.from({ length: 50 }, (_, n) => inbox.append(deliveryOf(`c-${n}`)));
  const closing = inbox.close();
  await expect(inbox.append(deliveryOf("late"))).rejects.toBeInstanceOf(InboxUnavailable);
  expect((await Promise.all(waiting)).every((each) => each.kind === "accepted")).toBe(true);
  await closing;
  expect(storedIn(await opening(folder))).toHaveLength(50);
});

describe("bounds", () => {
  test("too much in memory, or too much not handed on: LOOP_E_BACKLOG_FULL", async () => {
    const waiting = await opening(temporaryFolder(), { maxWaitingBytes: 200 });
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => waiting.append(deliveryOf(`w-${n}`))),
    );
    expect(
      answers.some(
        (answer) =>
          answer.status === "rejected" &&
          answer.reason instanceof InboxUnavailable &&
          answer.reason.code === "LOOP_E_BACKLOG_FULL",
      ),
    ).toBe(true);
    const behind = await opening(temporaryFolder(), { maxBacklogBytes: 500, segmentBytes: 300 });
    let refused = 0;
    for (let n = 0; n < 10; n += 1)
      await behind.append(deliveryOf(`b-${n}`)).catch(() => (refused += 1));
    expect(refused).toBeGreaterThan(0);
    behind.release(1000);
    expect((await behind.append(deliveryOf("after"))).kind).toBe("accepted");
  });

  test("D04 a second process, or a second opening, is refused", async () => {
    const folder = temporaryFolder();
    const inbox = await opening(folder);
    await expect(opening(folder)).rejects.toMatchObject({ code: "LOOP_E_INBOX_LOCKED" });
    await inbox.close();
    await opening(folder);
  });
});
