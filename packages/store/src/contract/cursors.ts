import { same } from "@loopwork/core/testing";
import { rowsOf, type StoreRow } from "./row.ts";

/** How far the poller has read. */
export const cursorRows: readonly StoreRow[] = rowsOf("cursors", [
  [
    "what was put last is what is got, of each repository and instance by itself, also after a restart",
    async (open) => {
      const { cursors, close } = await open();
      same("nothing yet", await cursors.get("a/b", "cursor"), null);
      await cursors.put("a/b", { cursor: "1", last: "x" });
      await cursors.put("a/b", { cursor: "2" });
      await cursors.put("a/c", { cursor: "3" });
      const other = await open({ instance: "other" });
      same("another instance", await other.cursors.get("a/b", "cursor"), null);
      await close();
      const again = (await open()).cursors;
      same("cursor", await again.get("a/b", "cursor"), "2");
      same("last", await again.get("a/b", "last"), "x");
      same("list", await again.list("cursor"), [
        { repository: "a/b", record: "2" },
        { repository: "a/c", record: "3" },
      ]);
    },
  ],
]);
