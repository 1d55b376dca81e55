import { dirname, join, normalize } from "node:path/posix";

/** Links of a page to other places of the repository that lead nowhere. `read` gives a file's text, null where there is none; folders read as "". */
export function deadLinks(page: string, text: string, read: (path: string) => string | null): readonly string[] {
  return [...text.matchAll(/\]\(([^()\s]{1,200})\)/g)].flatMap((match) => {
    const [path = "", anchor] = (match[1] ?? "").split("#");
    if (/^[a-z]{2,10}:/.test(path)) return [];
    const file = path === "" ? page : normalize(join(dirname(page), path));
    const target = path === "" ? text : read(file);
    if (target === null) return [`${page}: there is no ${file}`];
    return anchor === undefined || anchorsOf(target).has(anchor) ? [] : [`${page}: ${file} has no heading for #${anchor}`];
  });
}

/** Anchors of the headings, as the code host makes them. */
function anchorsOf(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/^#{1,6} (.{1,200})$/gm)].map((match) => (match[1] ?? "").toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(" ", "-")));
}
