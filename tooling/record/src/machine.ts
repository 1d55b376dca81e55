import { statfsSync } from "node:fs";
import { arch, availableParallelism, cpus, loadavg, platform, release, totalmem } from "node:os";

/**
 * What a measurement ran on. `load` is how many processes wanted a processor in the minute before.
 */
export type Machine = {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly system: string;
  readonly fileSystem: string;
  readonly node: string;
  readonly load: number;
};

/** Numbers by which Linux tells kinds of file systems apart (statfs(2)). */
const fileSystems: Readonly<Record<number, string>> = {
  0xef53: "ext4",
  0x1021994: "in memory",
  0x58465342: "xfs",
  0x9123683e: "btrfs",
  0x794c7630: "overlay",
  0x2fc12fc1: "zfs",
  0xf2f52010: "f2fs",
  0x6969: "network",
};

/** The machine, with the file system that `folder` lies on. */
export function machineOf(folder: string): Machine {
  const kind =
    platform() === "linux" ? (fileSystems[statfsSync(folder).type] ?? "another") : "unknown";
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 1_073_741_824),
    system: `${platform()} ${release()} ${arch()}`,
    fileSystem: kind,
    node: process.versions.node,
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  };
}
