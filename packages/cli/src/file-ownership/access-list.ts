import { outputOf } from "../processes/output-of.ts";

/**
 * Whether an access-control list could let others write where the mode says that only a group may:
 * with a list, those bits stand for everybody whom it names. Node cannot read lists, so `ls` is
 * asked, which marks them with a `+`. True also where it can't be told, as of an `ls` that marks
 * nothing.
 */
export function mayHaveAccessList(path: string): boolean {
  if (process.platform !== "linux") return false;
  marks ??= (outputOf("/bin/ls", ["--version"]) ?? "").includes("coreutils");
  const mode = marks ? (outputOf("/bin/ls", ["-ld", "--", path]) ?? "").slice(0, 11) : "";
  return !/^[-d][-rwxsStT]{9}[ .]$/.test(mode);
}

/** Whether this machine's `ls` is one that marks lists; asked once. */
let marks: boolean | null = null;
