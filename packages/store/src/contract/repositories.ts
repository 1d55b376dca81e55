import type { NamedRepository } from "@loopwork/core/ports";
import { same } from "@loopwork/core/testing";
import { lineOf } from "./build.ts";
import { rowsOf, type StoreRow } from "./row.ts";

const garden: NamedRepository = {
  host: null,
  id: "10",
  known: { owner: "Ada", name: "garden" },
  present: { owner: "Ada", name: "garden" },
};
const elsewhere: NamedRepository = {
  host: "git.example.org",
  id: "10",
  known: { owner: "ada", name: "shed" },
  present: { owner: "ada", name: "shed" },
};

/** Names of repositories by their id. */
export const repositoryRows: readonly StoreRow[] = rowsOf("repositories", [
  [
    "S04: rows stand by host and id, and what a repository is known as never changes",
    async (open) => {
      const store = await open();
      same("nothing yet", await store.repositories.list(), []);
      const renamed: NamedRepository = {
        ...garden,
        known: { owner: "x", name: "y" },
        present: { owner: "ada", name: "orchard" },
      };
      same(
        "first",
        await store.repositories.update(() => ({ write: [elsewhere, garden], lines: [lineOf()] })),
        [garden, elsewhere],
      );
      same(
        "second",
        await store.repositories.update((rows) => ({
          write: rows.length === 2 ? [renamed] : [],
          lines: [],
        })),
        [{ ...renamed, known: garden.known }, elsewhere],
      );
      same("lines", (await store.events.list({ limit: 5 })).length, 1);
      await store.close();
      same("after a restart", await (await open()).repositories.list(), [
        { ...renamed, known: garden.known },
        elsewhere,
      ]);
    },
  ],
  [
    "S04: a step that throws changes nothing",
    async (open) => {
      const store = await open();
      const failing = store.repositories.update(() => {
        throw new Error("no");
      });
      same(
        "rejects",
        await failing.then(
          () => "done",
          () => "failed",
        ),
        "failed",
      );
      same("nothing", await store.repositories.list(), []);
    },
  ],
]);
