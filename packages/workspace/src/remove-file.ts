import { rm, rmdir } from "node:fs/promises";
import { fileAt } from "./names.ts";
import { inFolder } from "./no-follow-folder.ts";

/**
 * Removes a file of a checkout and the folders that are empty then, none of them through a link.
 */
export async function removeFile(checkout: string, path: string): Promise<void> {
  const [name = "", ...above] = path.split("/").toReversed();
  const folders = above.toReversed();
  await inFolder(checkout, folders, (folder) =>
    rm(fileAt(folder, name), { force: true, recursive: true }),
  );
  for (let depth = folders.length; depth > 0; depth -= 1) {
    const last = folders[depth - 1] ?? "";
    const gone = await inFolder(checkout, folders.slice(0, depth - 1), (folder) =>
      rmdir(fileAt(folder, last)).then(
        () => true,
        () => false,
      ),
    );
    if (gone !== true) return;
  }
}
