import { dirname, join, normalize } from "node:path/posix";
import { parseDocument } from "yaml";

/** A file with front matter, as skills, commands and rules are. `body` is what follows. */
export type Page = { readonly keys: ReadonlyMap<string, unknown>; readonly body: string };

/**
 * Reads front matter between two lines of three dashes; null where there is none, or it is no
 * mapping without doubled keys.
 */
export function pageOf(text: string): Page | null {
  if (!text.startsWith("---\n")) return null;
  const end = text.indexOf("\n---\n", 3);
  if (end < 0) return null;
  const document = parseDocument(text.slice(4, end + 1), { uniqueKeys: true });
  const value: unknown = document.errors.length === 0 ? document.toJS() : null;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  return { keys: new Map(Object.entries(value)), body: text.slice(end + 5) };
}

/**
 * What keeps a file from being a skill of the Agent Skills standard (agentskills.io,
 * specification), and of ours: sections that say when, what, how to ask and what proves it; links
 * that live; and references one level deep. `path` is `…/<folder>/SKILL.md`, `read` gives a file's
 * text, null where there is none.
 */
export function faultsOfSkill(
  path: string,
  text: string,
  read: (path: string) => string | null,
): readonly string[] {
  const page = pageOf(text);
  if (page === null) return [`${path}: there is no front matter that can be read`];
  const folder = path.split("/").at(-2) ?? "";
  return [
    ...faultsOfKeys(page.keys, folder),
    ...faultsOfBody(page.body),
    ...faultsOfLinks(path, page.body, read),
  ].map((fault) => `${path}: ${fault}`);
}

const allowed: ReadonlySet<string> = new Set([
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "allowed-tools",
]);

function faultsOfKeys(keys: Page["keys"], folder: string): readonly string[] {
  const [name, description, metadata] = [
    keys.get("name"),
    keys.get("description"),
    keys.get("metadata"),
  ];
  return [
    ...[...keys.keys()]
      .filter((key) => !allowed.has(key))
      .map((key) => `the standard has no key ${key}`),
    ...(isName(name) ? [] : ["name is not 1 to 64 lower-case letters, digits and single dashes"]),
    ...(name === folder ? [] : [`name is not the folder's, ${folder}`]),
    ...(isText(description, 1024) ? [] : ["description is not 1 to 1024 characters"]),
    ...(keys.has("compatibility") && !isText(keys.get("compatibility"), 500)
      ? ["compatibility is not 1 to 500 characters"]
      : []),
    ...["license", "allowed-tools"]
      .filter((key) => keys.has(key) && !isText(keys.get(key), 1024))
      .map((key) => `${key} is no text`),
    ...(metadata === undefined || isTexts(metadata) ? [] : ["metadata does not map text to text"]),
  ];
}

function isName(value: unknown): boolean {
  return (
    typeof value === "string" &&
    value.length <= 64 &&
    value === value.normalize("NFKC") &&
    /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value)
  );
}

function isText(value: unknown, longest: number): boolean {
  return typeof value === "string" && value.trim() !== "" && value.length <= longest;
}

function isTexts(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((each) => typeof each === "string")
  );
}

/** What every skill of ours answers, so that a reader finds the same thing in the same place. */
const sections = ["When to use this", "Ask", "What proves it"];
const mostLines = 500;

function faultsOfBody(body: string): readonly string[] {
  const headings = [...body.matchAll(/^## (.{1,100})$/gm)].map(([, heading]) => heading);
  return [
    ...(body.split("\n").length > mostLines ? [`is longer than ${mostLines} lines`] : []),
    ...sections
      .filter((section) => !headings.includes(section))
      .map((section) => `has no section ${section}`),
    ...["loop comment", "loop ask"]
      .filter((command) => !body.includes(`\`${command}`))
      .map((command) => `does not name ${command}`),
    ...((body.split("## What proves it\n")[1] ?? "").includes("`loop ")
      ? []
      : ["names no command of loop that proves it"]),
  ];
}

/** A reference is a file that a skill links to; it may not send the reader on to another page. */
function faultsOfLinks(
  path: string,
  body: string,
  read: (path: string) => string | null,
): readonly string[] {
  return linksOf(body).flatMap((link) => {
    const file = normalize(join(dirname(path), link));
    const text = read(file);
    if (text === null) return [`links to ${link}, which is not there`];
    return linksOf(text)
      .filter((next) => next.endsWith(".md"))
      .map((next) => `links to ${link}, which links on to ${next}`);
  });
}

function linksOf(text: string): readonly string[] {
  return [...text.matchAll(/\]\(([^()\s#]{1,200})\)/g)]
    .map((match) => match[1] ?? "")
    .filter((link) => !/^[a-z]{2,10}:/.test(link));
}
