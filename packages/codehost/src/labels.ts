import { type Ref, sameLabel } from "@loopwork/core/ports";
import type { Client } from "./client.ts";
import { textAt } from "./fields.ts";

/**
 * Puts one label on an issue or pull request and takes off the others that it has. The host makes a
 * label that the repository lacks.
 */
export async function relabel(
  client: Client,
  item: Ref,
  { put, drop }: { readonly put: string; readonly drop: readonly string[] },
): Promise<void> {
  const names = { ...client.namesOf(item), number: item.number };
  const { data } = await client.get(
    "reading the labels of an item",
    "/repos/{owner}/{repo}/issues/{number}/labels",
    { ...names, per_page: 100 },
  );
  const there = (Array.isArray(data) ? data : []).flatMap(
    (label: unknown) => textAt(label, "name") ?? [],
  );
  const has = (wanted: string): string | undefined =>
    there.find((label) => sameLabel(label, wanted));
  if (has(put) === undefined)
    await client.post(
      "putting a label on an item",
      "/repos/{owner}/{repo}/issues/{number}/labels",
      { ...names, labels: [put] },
    );
  for (const each of drop) {
    const label = sameLabel(each, put) ? undefined : has(each);
    if (label !== undefined)
      await client.delete(
        "taking a label off an item",
        "/repos/{owner}/{repo}/issues/{number}/labels/{label}",
        { ...names, label },
      );
  }
}
