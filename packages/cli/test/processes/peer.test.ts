import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { peerOf } from "../../src/processes/peer.ts";
import { turnsDuring } from "../support/turns-during.ts";

/** Ports as the one who is asked sees them: in the tables the peer's are the other way round. */
const ports = { localPort: 4_114, remotePort: 51_000 };
const wanted = "socket:[4711]";

test.runIf(process.platform === "linux")(
  "the process at the other end of a real connection is found",
  async () => {
    const server = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const address = server.address();
    const client = connect(
      typeof address === "object" && address !== null ? address.port : 0,
      "127.0.0.1",
    );
    onTestFinished(() => void client.destroy());
    const [socket]: Socket[] = await once(server, "connection");
    onTestFinished(() => void socket?.destroy());
    expect(await peerOf(socket ?? client)).toBe(process.pid);
  },
);

test.runIf(process.platform === "linux")(
  "of the tables only the connection that is established counts, by both of its ports and wherever it stands",
  async () => {
    const others = [
      row(51_000, 4_114, "06", 1),
      row(51_000, 4_115, "01", 2),
      row(4_114, 51_000, "01", 3),
      row(51_001, 4_114, "01", 4),
    ];
    expect(
      await peerOf(
        ports,
        folder({
          tcp: others,
          tcp6: [...others, row(51_000, 4_114, "01", 4_711)],
          12: ["socket:[1]", "/dev/null"],
          13: ["socket:[47110]", wanted],
          14: [wanted],
        }),
      ),
    ).toBe(13);
    expect(
      await peerOf(
        ports,
        folder({
          tcp: others,
          tcp6: [],
          13: [wanted, "socket:[1]", "socket:[2]", "socket:[3]", "socket:[4]"],
        }),
      ),
    ).toBeNull();
    expect(
      await peerOf(
        ports,
        folder({ tcp: [row(51_000, 4_114, "01", 4_711)], tcp6: [], 12: ["socket:[1]"] }),
      ),
      "another account's",
    ).toBeNull();
  },
);

test.runIf(process.platform === "linux")(
  "however many connections the machine has, the table is gone through a piece at a time, and others have their turn in between",
  async () => {
    const rows = Array.from({ length: 200_000 }, (_, n) => row(10_000 + (n % 40_000), 80, "06", 0));
    const proc = folder({
      tcp: [...rows, row(51_000, 4_114, "01", 4_711)],
      tcp6: [],
      13: [wanted],
    });
    const turns = await turnsDuring(async () => expect(await peerOf(ports, proc)).toBe(13));
    expect(turns).toBeGreaterThan(rows.length / 1_000);
  },
);

test.runIf(process.platform === "linux")(
  "however many files a process has open, they are looked at a few at a time",
  async () => {
    const files = Array.from({ length: 3_000 }, (_, n) => `socket:[${n + 10_000}]`);
    const proc = folder({
      tcp: [row(51_000, 4_114, "01", 4_711)],
      tcp6: [],
      12: files,
      13: [wanted],
    });
    const turns = await turnsDuring(async () => expect(await peerOf(ports, proc)).toBe(13));
    expect(turns).toBeGreaterThan(files.length / 500);
  },
);

/**
 * A folder like `/proc`: the rows of its tables, and by the id of each process what its open files
 * are.
 */
function folder(of: Readonly<Record<string, readonly string[]>>): string {
  const proc = mkdtempSync(join(tmpdir(), "loop-proc-"));
  onTestFinished(() => rmSync(proc, { recursive: true, force: true }));
  mkdirSync(join(proc, "net"));
  for (const [name, lines] of Object.entries(of)) {
    if (name.startsWith("tcp")) {
      writeFileSync(
        join(proc, "net", name),
        `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n${lines.join("")}`,
      );
      continue;
    }
    mkdirSync(join(proc, name, "fd"), { recursive: true });
    for (const [n, file] of lines.entries()) symlinkSync(file, join(proc, name, "fd", String(n)));
  }
  return proc;
}

function row(from: number, to: number, state: string, inode: number): string {
  const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, "0");
  return `  12: 0100007F:${hex(from)} 0100007F:${hex(to)} ${state} 00000000:00000000 00:00000000 00000000     0        0 ${inode} 1 00000000dc3d395a 100 0 0 10 0                      \n`;
}
