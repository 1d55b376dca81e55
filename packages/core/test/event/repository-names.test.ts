import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  fullName,
  type NamedRepository,
  presentName,
  recognise,
  renameRefs,
} from "../../src/event/repository-names.ts";

const seen = (id: string | null, name: string, host: string | null = null) => ({
  host,
  id,
  owner: "ada",
  name,
});
const after = (
  rows: readonly NamedRepository[],
  id: string,
  name: string,
): readonly NamedRepository[] => {
  const { write } = recognise(seen(id, name), rows);
  return [
    ...rows.filter((row) => !write.some((each) => each.host === row.host && each.id === row.id)),
    ...write,
  ];
};

describe("S04: a repository", () => {
  test("is known by the name under which it was first seen", () => {
    const first = recognise(seen("1", "garden"), []);
    expect(first).toEqual({
      kind: "first-seen",
      write: [
        {
          host: null,
          id: "1",
          known: { owner: "ada", name: "garden" },
          present: { owner: "ada", name: "garden" },
        },
      ],
    });
    expect(recognise(seen("1", "Garden"), first.write)).toEqual({ kind: "known", write: [] });
  });

  test("without an id says nothing about names", () => {
    expect(recognise(seen(null, "garden"), [])).toEqual({ kind: "known", write: [] });
  });

  test("of another host is another one, whatever its id and name", () => {
    expect(recognise(seen("1", "garden", "git.example.org"), after([], "1", "garden")).kind).toBe(
      "first-seen",
    );
  });

  test("that is called otherwise keeps what it is known as", () => {
    const rows = after([], "1", "garden");
    const { kind, write } = recognise(seen("1", "orchard"), rows);
    expect(kind).toBe("renamed");
    expect(write).toEqual([{ ...rows[0], present: { owner: "ada", name: "orchard" } }]);
  });

  test("that takes another one's name is known by one of its own, and the former one leads nowhere", () => {
    const { kind, write } = recognise(seen("2", "garden"), after([], "1", "garden"));
    expect(kind).toBe("recreated");
    expect(write.map(({ id, known, present }) => [id, known.name, present.name])).toEqual([
      ["1", "garden", "garden.1"],
      ["2", "garden.2", "garden"],
    ]);
  });

  test("that takes the name of one that was renamed in time leaves that one alone", () => {
    const { write } = recognise(
      seen("2", "garden"),
      after(after([], "1", "garden"), "1", "orchard"),
    );
    expect(write.map(({ id, known }) => [id, known.name])).toEqual([["2", "garden.2"]]);
  });

  test("that takes a name which was renamed to is made anew as well, under that name", () => {
    const { kind, write } = recognise(
      seen("2", "orchard"),
      after(after([], "1", "garden"), "1", "orchard"),
    );
    expect([
      kind,
      ...write.map(({ id, known, present }) => [id, known.name, present.name]),
    ]).toEqual(["recreated", ["1", "garden", "orchard.1"], ["2", "orchard", "orchard"]]);
  });

  test("whose name only another host's repository has is left alone by renaming", () => {
    const rows = after(after([], "1", "garden"), "1", "orchard");
    const there = renameRefs(rows, "present");
    const refs = [
      { host: null, owner: "ada", repo: "garden" },
      { host: "git.example.org", owner: "ada", repo: "garden" },
      { host: null, owner: "bob", repo: "garden" },
      { host: null, owner: "ada", repo: "shed" },
    ];
    expect(refs.map((ref) => there(ref).repo)).toEqual(["orchard", "garden", "garden", "shed"]);
  });

  test("that is called as it is known is left as it is written, also beside one that was renamed", () => {
    const rows = after(after(after([], "1", "garden"), "1", "orchard"), "2", "shed");
    const ref = { host: null, owner: "Ada", repo: "Shed" };
    expect([renameRefs(rows, "present")(ref), renameRefs(rows, "known")(ref)]).toEqual([ref, ref]);
  });

  test("keeps within the length that names may have", () => {
    const name = "x".repeat(100);
    const row = recognise(seen("12345", name), after([], "1", name)).write.at(-1);
    expect(row?.known.name).toHaveLength(100);
    expect(row?.known.name.endsWith(".12345")).toBe(true);
  });

  test("is called by people what the host calls it", () => {
    expect(fullName({ owner: "ada", name: "garden" })).toBe("ada/garden");
    expect(
      presentName({ owner: "ada", name: "garden", calledNow: { owner: "ada", name: "orchard" } }),
    ).toEqual({ owner: "ada", name: "orchard" });
  });
});

test("S04: whatever repositories are called in whatever order, no two share a name on either side, and refs go there and back", () => {
  const sightings = fc.array(
    fc.record({ id: fc.constantFrom("1", "2", "3"), name: fc.constantFrom("a", "b", "c") }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(sightings, (list) => {
      const rows = list.reduce<readonly NamedRepository[]>(
        (known, { id, name }) => after(known, id, name),
        [],
      );
      expect(new Set(rows.map(({ known }) => known.name)).size).toBe(rows.length);
      expect(new Set(rows.map(({ present }) => present.name)).size).toBe(rows.length);
      const last = list.at(-1);
      if (last !== undefined)
        expect(rows.find(({ id }) => id === last.id)?.present.name).toBe(last.name);
      for (const { known, present } of rows) {
        const ref = { host: null, owner: known.owner, repo: known.name };
        const there = renameRefs(rows, "present")(ref);
        expect(there.repo).toBe(present.name);
        expect(renameRefs(rows, "known")(there)).toEqual(ref);
      }
    }),
  );
});
