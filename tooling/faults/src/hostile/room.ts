import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const memory = "/dev/shm";
const enoughBytes = 6e9;

/**
 * Where a run that is about the service and not about the disk has its scratch folder: in memory,
 * where there is such a file system with room for what 200,000 inputs leave behind, so that no
 * flush of a busy disk counts against the service.
 */
export function roomyFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > enoughBytes ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}
