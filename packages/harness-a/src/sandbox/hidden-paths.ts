import { bothPlaces } from "./both-places.ts";
import { isWithin } from "./is-within.ts";

/** What nobody may read, as the sandbox and the rules for file tools have to be told. */
export type HiddenPaths = {
  /** Hidden folders and files, without what lies in another one of them. */
  readonly outermost: readonly string[];
  /** Paths of loop's own in a folder that is open: they stay hidden all the same. */
  readonly inOpen: readonly string[];
  /** Of what is to be open: paths of loop's own, which stay hidden. */
  readonly tooOpen: readonly string[];
};

/**
 * Sorts what is hidden. `own` holds loop's secrets, so that it beats a folder around it in `open`;
 * `around`, the home and logins, does not. `work`, of what is open, has to be reached in any case.
 */
export function hiddenPaths(
  { own, around }: { readonly own: readonly string[]; readonly around: readonly string[] },
  open: readonly string[] = [],
  work: readonly string[] = open,
): HiddenPaths {
  const working = bothPlaces(work);
  const ours = bothPlaces(own).filter((each) => !working.includes(each));
  const opened = bothPlaces(open).filter((each) => !ours.includes(each));
  const kept = bothPlaces(around);
  const closed = [
    ...ours,
    ...kept.filter((each) => !opened.some((folder) => isWithin(each, folder))),
  ];
  const isReopened = (file: string): boolean => {
    const depth = (folders: readonly string[]): number =>
      Math.max(-1, ...folders.filter((each) => isBelow(file, each)).map((each) => each.length));
    return depth(opened) > depth(closed);
  };
  const inOpen = ours.filter(isReopened);
  const all = [...new Set([...bothPlaces(own), ...kept])].filter((each) => !inOpen.includes(each));
  return {
    outermost: all.filter((each) => !all.some((other) => isBelow(each, other))).toSorted(),
    inOpen: inOpen.toSorted(),
    tooOpen: open.filter((each) => bothPlaces([each]).some((place) => ours.includes(place))),
  };
}

const isBelow = (file: string, folder: string): boolean =>
  file !== folder && isWithin(file, folder);
