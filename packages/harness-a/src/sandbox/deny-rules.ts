import { readdir } from "node:fs/promises";
import path from "node:path";
import { isWithin } from "./settings.ts";

/**
 * Rules that keep the harness's Read, Write and Edit tools out of hidden folders: they run outside of the sandbox, and in
 * bypass mode nothing else stops them. A deny rule beats every allow rule, so that a folder with something readable in it is
 * denied name by name.
 */
export async function denyRules(hide: readonly string[], open: readonly string[]): Promise<readonly string[]> {
  const rules: string[] = [];
  for (const each of hide) await deny(each, open, rules);
  return rules.slice(0, most);
}

/** A home has some dozens of names. More would only fill the conversation, which the harness shows them in. */
const most = 400;

async function deny(file: string, open: readonly string[], rules: string[]): Promise<void> {
  if (open.some((each) => isWithin(file, each))) return;
  if (!open.some((each) => isWithin(each, file))) return void (isPlainName(file) && rules.push(`Read(/${file})`, `Read(/${file}/**)`));
  for (const name of (await readdir(file).catch((): string[] => [])).toSorted()) await deny(path.join(file, name), open, rules);
}

/** Rules are patterns: a name that is one, or that ends a rule, cannot be said in them. */
const isPlainName = (file: string): boolean => /^[^*?[\]{}()!\\\n]{1,1000}$/.test(file);
