import type { PollCursors } from "@loopwork/core/ports";
import { type Memory, open } from "./data.ts";

export function createMemoryCursors(memory: Memory): PollCursors {
  const keyOf = (repository: string, resource: string): string =>
    [memory.instance, repository, resource].join("\n");
  return {
    get: async (repository, resource) =>
      open(memory).cursors.get(keyOf(repository, resource)) ?? null,
    put: async (repository, records) => {
      const { cursors } = open(memory);
      for (const [resource, record] of Object.entries(records))
        cursors.set(keyOf(repository, resource), record);
    },
    list: async (resource) => {
      const found = [...open(memory).cursors].flatMap(([key, record]) => {
        const [instance, repository = "", name] = key.split("\n");
        return instance === memory.instance && name === resource ? [{ repository, record }] : [];
      });
      return found.toSorted((a, b) => (a.repository < b.repository ? -1 : 1));
    },
  };
}
