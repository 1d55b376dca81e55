import type { NamedRepository, RepositoryNames } from "@loopwork/core/ports";
import { appendLines, type Memory, open } from "./data.ts";

export function createMemoryRepositories(memory: Memory): RepositoryNames {
  const list = (): readonly NamedRepository[] =>
    [...open(memory).repositories]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, row]) => row);
  return {
    list: async () => list(),
    update: async (step) => {
      const { write, lines } = step(list());
      const { repositories } = open(memory);
      for (const row of write) {
        const key = `${row.host ?? ""}\n${row.id}`;
        repositories.set(key, { ...row, known: repositories.get(key)?.known ?? row.known });
      }
      appendLines(memory.data, lines);
      return list();
    },
  };
}
