import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { createPool } from "../../src/receiver/pool.ts";

test("every delivery of the pool is signed right, has the median size, and differs from all others in id and body", () => {
  const pool = createPool("a secret", 3);
  const request = pool.request("/hook");
  const seen = new Set<string>();
  for (const n of [0, 2, 3, 999_999]) {
    request.become(n);
    const text = request.bytes.toString("latin1");
    const [head = "", body = ""] = text.split("\r\n\r\n");
    const header = (name: string): string =>
      new RegExp(`^${name}: (.{1,200})$`, "m").exec(head.replaceAll("\r", ""))?.[1] ?? "";
    expect(header("X-Hub-Signature-256")).toBe(
      `sha256=${createHmac("sha256", "a secret").update(body).digest("hex")}`,
    );
    expect(header("Content-Length")).toBe(String(body.length));
    expect(() => JSON.parse(body)).not.toThrow();
    expect(body.length).toBeGreaterThan(13_000);
    expect(body.length).toBeLessThan(13_600);
    seen.add(header("X-GitHub-Delivery")).add(body);
  }
  expect(seen.size).toBe(8);
});
