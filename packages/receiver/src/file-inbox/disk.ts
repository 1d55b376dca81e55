import { constants } from "node:fs";
import { open, rename } from "node:fs/promises";

/** The few file operations that durability hangs on: tests hand in a disk that fails. */
export type Disk = {
  /**
   * Makes `path` the file to write: a spare one renamed, which keeps its blocks, or a new one.
   * Durable in its directory when it resolves.
   */
  create(path: string, spare: string | null, directory: string): Promise<DiskFile>;
};

export type DiskFile = {
  /** Writes all buffers at an offset; rejects when fewer bytes went in. */
  write(buffers: readonly Buffer[], offset: number): Promise<void>;
  /** Resolves when what was written would survive a loss of power. */
  flush(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
};

/** Buffers that one system call takes at most (IOV_MAX). */
const buffersPerCall = 1024;

/** The file system of this machine. */
export const realDisk: Disk = {
  create: async (path, spare, directory) => {
    if (spare !== null) await rename(spare, path);
    const handle = await open(
      path,
      spare === null ? constants.O_RDWR | constants.O_CREAT | constants.O_EXCL : constants.O_RDWR,
      0o600,
    );
    await flushDirectory(directory);
    return {
      write: async (buffers, offset) => {
        let at = offset;
        for (let first = 0; first < buffers.length; first += buffersPerCall) {
          const part = buffers.slice(first, first + buffersPerCall);
          const { bytesWritten } = await handle.writev(part, at);
          const wanted = part.reduce((sum, buffer) => sum + buffer.length, 0);
          if (bytesWritten !== wanted)
            throw new Error(`only ${bytesWritten} of ${wanted} bytes were written`);
          at += bytesWritten;
        }
      },
      flush: () => handle.datasync(),
      truncate: (length) => handle.truncate(length),
      close: () => handle.close(),
    };
  },
};

/** Makes renamed, created and removed names of a directory durable. */
export async function flushDirectory(directory: string): Promise<void> {
  const handle = await open(directory, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
