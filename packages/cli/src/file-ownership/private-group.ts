import { readFileSync } from "node:fs";

/** The user that a process acts as; null where the system has no such ids. */
export type Identity = {
  readonly uid: number;
  readonly gid: number;
  /** In a user namespace, such as a sandbox's: the id that stands for every owner outside of it. */
  readonly unmapped?: number | null;
};

export function ownIdentity(): Identity | null {
  const [uid, gid] = [process.geteuid?.(), process.getegid?.()];
  if (uid === undefined || gid === undefined) return null;
  const overflow = textOf("/proc/sys/kernel/overflowuid");
  return { uid, gid, unmapped: unmappedUid(textOf("/proc/self/uid_map"), overflow) };
}

/** Null outside of a user namespace, and where the id is also that of a user in it. */
export function unmappedUid(uidMap: string, overflowUid: string): number | null {
  const ranges = uidMap.split("\n").map((line) =>
    line
      .split(" ")
      .filter((field) => field !== "")
      .map(Number),
  );
  const overflow = Number(overflowUid);
  const isMapped = ranges.some(
    ([first = 0, , count = 0]) => overflow >= first && overflow < first + count,
  );
  return uidMap === "" || overflowUid === "" || isMapped ? null : overflow;
}

/**
 * Whether a group has the user as its only member, as on systems that give each user a group of
 * their own.
 */
export function isPrivateGroup(
  gid: number,
  { uid, gid: ownGid }: Identity,
  accounts: { readonly passwd: string; readonly group: string } = systemAccounts(),
): boolean {
  if (gid !== ownGid) return false;
  const users = fieldsOf(accounts.passwd).map(([name = "", , id, group]) => ({
    name,
    id: Number(id),
    group: Number(group),
  }));
  const own = users.find(({ id }) => id === uid);
  const entry = fieldsOf(accounts.group).find(([, , id]) => Number(id) === gid);
  if (own === undefined || entry === undefined) return false;
  const members = (entry[3] ?? "").split(",").filter((name) => name !== "");
  return (
    members.every((name) => name === own.name) &&
    users.every(({ id, group }) => group !== gid || id === uid)
  );
}

function fieldsOf(text: string): readonly (readonly string[])[] {
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split(":"));
}

/** Accounts of a directory service stand in neither file: their groups count as shared. */
function systemAccounts(): { readonly passwd: string; readonly group: string } {
  return { passwd: textOf("/etc/passwd"), group: textOf("/etc/group") };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
