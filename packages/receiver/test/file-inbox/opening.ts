import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InboxSubject, StoredForTest } from "@loopwork/core/testing";
import { onTestFinished } from "vitest";
import { type FileInbox, type FileInboxOptions, openFileInbox } from "../../src/index.ts";

/** A new folder, removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "loop-receiver-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A file inbox, closed when the test ends. */
export async function opening(folder: string, options: FileInboxOptions = {}): Promise<FileInbox> {
  const inbox = await openFileInbox(folder, options);
  onTestFinished(() => inbox.close());
  return inbox;
}

export function storedIn(inbox: FileInbox): readonly StoredForTest[] {
  const stored: StoredForTest[] = [];
  for (const entry of inbox.reader(0).entries())
    stored.push({ ...entry, body: entry.body === null ? null : Uint8Array.from(entry.body) });
  return stored;
}

/** The file inbox as the contract suite sees it. */
export async function fileInboxSubject(
  folder: string,
  options: FileInboxOptions,
): Promise<InboxSubject> {
  const inbox = await opening(folder, options);
  return {
    inbox,
    stored: async () => storedIn(inbox),
    reopen: async () => {
      await inbox.close();
      return fileInboxSubject(folder, options);
    },
    close: () => inbox.close(),
  };
}
