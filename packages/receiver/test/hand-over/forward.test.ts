import { createServer, type RequestListener } from "node:http";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMemoryInbox, deliveryOf } from "@loopwork/core/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { openCursor } from "../../src/hand-over/cursor.ts";
import { createForwardSink } from "../../src/hand-over/forward.ts";
import { handOver } from "../../src/hand-over/hand-over.ts";
import { createReceiver, type FileInbox } from "../../src/index.ts";
import { opening, temporaryFolder } from "../file-inbox/opening.ts";
import { post, startBin } from "../support/bin.ts";
import { secret, serving } from "../support/receiving.ts";

/** Hands over to a URL in the background; returns how to stop, and the warnings so far. */
function forwarding(
  inbox: FileInbox,
  folder: string,
  url: string,
): { stop(): Promise<void>; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const controller = new AbortController();
  const sink = createForwardSink({
    url,
    onWarning: (text) => warnings.push(text),
    firstPauseMs: 5,
    longestPauseMs: 50,
    timeoutMs: 500,
  });
  const running = handOver({
    inbox,
    cursor: openCursor(folder, "forward"),
    sink,
    signal: controller.signal,
    onWarning: (text) => warnings.push(text),
  });
  const stop = async (): Promise<void> => {
    controller.abort();
    await running;
  };
  onTestFinished(stop);
  return { stop, warnings };
}

/** Answers with the given statuses in turn, then 204; records ids. */
async function target(
  ...statuses: readonly number[]
): Promise<{ readonly url: string; readonly ids: readonly string[] }> {
  const left = [...statuses];
  const ids: string[] = [];
  const listener: RequestListener = (request, response) => {
    request.resume().on("end", () => {
      ids.push(String(request.headers["x-host-delivery"]));
      response.writeHead(left.shift() ?? 204, { location: "/elsewhere" }).end();
    });
  };
  return { url: `http://127.0.0.1:${await serving(listener)}/hook`, ids };
}

describe("--forward", () => {
  test("another receiver takes what is forwarded, verified by the signature that came with it", async () => {
    const downstream = createMemoryInbox();
    const receiver = createReceiver({ inbox: downstream, secrets: [secret], events: ["issues"] });
    const { address } = await receiver.listen(0);
    onTestFinished(() => receiver.stop());
    const bin = startBin([
      "--inbox",
      temporaryFolder(),
      "--port",
      "0",
      "--forward",
      `http://127.0.0.1:${address.port}/host-webhook`,
    ]);
    const port = await bin.port;
    for (const id of ["a", "b", "c"]) expect(await post(port, id)).toBe(202);
    await expect
      .poll(() =>
        downstream.stored.map((each) => [
          each.id,
          each.verified,
          Buffer.from(each.body ?? []).toString(),
        ]),
      )
      .toEqual(["a", "b", "c"].map((id) => [id, true, JSON.stringify({ id })]));
  });

  test("is tried again, in order, until it is taken", async () => {
    const folder = temporaryFolder();
    const inbox = await opening(folder);
    const { url, ids } = await target(500, 404, 302, 401, 503);
    for (const id of ["a", "b"]) await inbox.append(deliveryOf(id));
    const { warnings } = forwarding(inbox, folder, url);
    await expect.poll(() => ids).toEqual(["a", "a", "a", "a", "a", "a", "b"]);
    expect(warnings[0]).toMatch(
      /delivery a could not be forwarded \(status 500\); next attempt in 5 ms/,
    );
  });

  test("an answer that refuses the delivery itself does not hold up the next", async () => {
    const folder = temporaryFolder();
    const inbox = await opening(folder);
    const { url, ids } = await target(413);
    for (const id of ["a", "b"]) await inbox.append(deliveryOf(id));
    const { warnings } = forwarding(inbox, folder, url);
    await expect.poll(() => ids).toEqual(["a", "b"]);
    expect(warnings).toEqual([expect.stringMatching(/delivery a was refused for good/)]);
  });

  test("nobody there: it waits, and a restart goes on where it was", async () => {
    const folder = temporaryFolder();
    const inbox = await opening(folder);
    const { url, ids } = await target();
    for (const id of ["a", "b"]) await inbox.append(deliveryOf(id));
    const first = forwarding(inbox, folder, url);
    await expect.poll(() => openCursor(folder, "forward").seq).toBe(2);
    await first.stop();
    await inbox.append(deliveryOf("c"));
    await inbox.append(deliveryOf("ignored", { ignored: "ping", body: null }));
    await inbox.append(deliveryOf("d"));
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", () => resolve()));
    const address = closed.address();
    await new Promise((resolve) => closed.close(resolve));
    const second = forwarding(
      inbox,
      folder,
      `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    );
    await expect.poll(() => second.warnings.length).toBeGreaterThan(2);
    await second.stop();
    await inbox.close();
    forwarding(await opening(folder), folder, url);
    await expect.poll(() => ids).toEqual(["a", "b", "c", "d"]);
    await expect.poll(() => openCursor(folder, "forward").seq).toBe(5);
  });

  test("a target that never answers is given up and tried again", async () => {
    const folder = temporaryFolder();
    const inbox = await opening(folder);
    let calls = 0;
    const port = await serving((request, response) => {
      request.resume();
      calls += 1;
      if (calls > 1) response.writeHead(200).end();
    });
    await inbox.append(deliveryOf("slow"));
    forwarding(inbox, folder, `http://127.0.0.1:${port}`);
    await expect.poll(() => openCursor(folder, "forward").seq).toBe(1);
    expect(calls).toBe(2);
  });
});

test("a cursor file that holds no cursor is refused by name", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "forward.cursor"), "1e9");
  expect(() => openCursor(folder, "forward")).toThrow(
    expect.objectContaining({ code: "LOOP_E_CURSOR" }),
  );
});
