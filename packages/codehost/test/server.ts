import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";

export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};
export type Canned = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

/** A real server on loopback that answers what the test wants and remembers what it was asked. */
export async function serve(
  answer: (asked: Asked) => Canned,
): Promise<{ readonly url: string; readonly asked: Asked[]; readonly stop: () => Promise<void> }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void read(request).then((body) => {
      const call = {
        method: request.method ?? "",
        path: request.url ?? "",
        authorization: request.headers.authorization ?? "",
        headers: request.headers,
        body,
      };
      asked.push(call);
      const { status = 200, headers = {}, body: made = {} } = answer(call);
      response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end(typeof made === "string" ? made : JSON.stringify(made));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no address");
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${address.port}`, asked, stop };
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) if (Buffer.isBuffer(part)) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}
