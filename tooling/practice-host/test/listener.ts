import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";

export type Heard = {
  readonly id: string;
  readonly event: string;
  readonly signed: boolean;
  readonly body: Readonly<Record<string, unknown>>;
};

/**
 * A small receiver that keeps what it hears, in order; `answer` gives the status for the n-th one.
 */
export async function listen(
  secret: string,
  answer: (n: number) => number = () => 202,
): Promise<{ readonly url: string; readonly heard: Heard[]; readonly stop: () => Promise<void> }> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const bytes = Buffer.concat(parts);
      const signature = `sha256=${createHmac("sha256", secret).update(bytes).digest("hex")}`;
      const parsed: unknown = JSON.parse(bytes.toString("utf8"));
      heard.push({
        id: String(request.headers["x-github-delivery"]),
        event: String(request.headers["x-github-event"]),
        signed: request.headers["x-hub-signature-256"] === signature,
        body: Object.fromEntries(Object.entries(parsed ?? {})),
      });
      response.writeHead(answer(heard.length)).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no address");
  return {
    url: `http://127.0.0.1:${address.port}/host-webhook`,
    heard,
    stop: async () =>
      void (server.closeAllConnections(), await new Promise((resolve) => server.close(resolve))),
  };
}
