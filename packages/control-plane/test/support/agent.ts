import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { token } from "./serving.ts";

/** The SDK's own client, connected over real HTTP. */
export async function connect(url: string, shown: string = token): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${shown}` } },
    }),
  );
  onTestFinished(() => client.close());
  return client;
}
