import { isAbsolute, join } from "node:path";
import type { OneShots, Workspace } from "@loopwork/core/ports";
import type { SmallPrograms } from "../small-programs.ts";

/**
 * Where a question is asked, and where the artifacts are from there: relative to it, or absolute
 * beside it. Null where it is about none.
 */
export type ShownPlace = { readonly workdir: string; readonly artifacts: string | null };

/** Name in a copy of the folder of artifacts that lie outside of the checkout. */
const besideName = "loop-artifacts";

/**
 * Lets a harness look at a checkout: at itself, or at a copy that is gone afterwards, where the
 * harness would take orders from it. What is about nothing in it (`artifacts` null) is asked in an
 * empty folder then. Resolves to a sentence where no copy could be made.
 */
export async function atShownPlace<T>(
  reads: OneShots["reads"],
  place: ShownPlace,
  copyOf: Workspace["copyOf"],
  scratchDir: string,
  programs: Pick<SmallPrograms, "copyFiles" | "outsideRepositories">,
  work: (place: ShownPlace) => Promise<T>,
): Promise<T | string> {
  if (reads === "checkout") return work(place);
  const { workdir, artifacts } = place;
  const look = async (folder: string): Promise<T | string> => {
    if (artifacts === null) return work({ workdir: folder, artifacts });
    const beside = isAbsolute(artifacts);
    const copied = await copyOf(workdir, folder, beside ? null : artifacts);
    if (copied.kind === "failed") return copied.why;
    if (beside) await programs.copyFiles(artifacts, join(folder, besideName), mayCopy);
    return work({ workdir: folder, artifacts: beside ? besideName : artifacts });
  };
  return programs.outsideRepositories(scratchDir, look);
}

/** None may be called as what a harness takes orders from. */
function mayCopy(name: string): boolean {
  return !givesOrders.test(name);
}

const givesOrders = /^\.|^(?:agents|claude|claude\.local)\.md$/i;
