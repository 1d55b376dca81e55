import { checkPackage, createPackageFromTarballData, type Problem } from "@arethetypeswrong/core";

/**
 * Ways of resolution that packages of ours do not serve: they are ES modules alone, with subpaths.
 */
const leftOut: ReadonlySet<string> = new Set(["node10", "node16-cjs"]);

/**
 * What is wrong with the types of a packed package for those who import it, each in one sentence
 * (the check `arethetypeswrong`).
 */
export async function typesWrong(name: string, tarball: Uint8Array): Promise<readonly string[]> {
  const result = await checkPackage(createPackageFromTarballData(tarball));
  if (result.types === false) return [`${name} has no types`];
  return result.problems.filter(isOurs).map((problem) => `${name}: ${sentenceOf(problem)}`);
}

function isOurs(problem: Problem): boolean {
  return !("resolutionKind" in problem) || !leftOut.has(problem.resolutionKind);
}

function sentenceOf(problem: Problem): string {
  const entry = "entrypoint" in problem ? ` at ${problem.entrypoint}` : "";
  const way = "resolutionKind" in problem ? ` with ${problem.resolutionKind}` : "";
  const file = "fileName" in problem ? ` in ${problem.fileName}` : "";
  return `${problem.kind}${entry}${way}${file}`;
}
