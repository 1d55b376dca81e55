import { once } from "node:events";
import { createServer } from "node:net";

/** Systems give connections ports of their own from 32,768 on, or higher. */
const [first, last] = [15_000, 32_000];
const given = new Set<number>();

/**
 * A port on the loopback interface that nobody listens on now. It lies below those that connections
 * get, so that none of these has it while whoever it is for is being started again; and one process
 * is never given the same port twice.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * (last - first));
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
