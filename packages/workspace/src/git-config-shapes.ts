import { isBranchName } from "./branch.ts";

/**
 * Whether git takes a value for what it expects under a key. Of one that it does not, every command
 * of git's would die.
 */
export type Shape = (value: string) => boolean;

const oneOf =
  (...words: readonly string[]): Shape =>
  (value) =>
    words.includes(value.toLowerCase());

export const flag: Shape = oneOf("true", "false", "yes", "no", "on", "off", "1", "0", "");
export const number: Shape = (value) => /^-?[0-9]{1,9}$/.test(value);
export const text: Shape = () => true;
/** `true` would turn our clones, which have files, into ones without. */
export const never: Shape = oneOf("false", "no", "off", "0");
export const word = (...words: readonly string[]): Shape => oneOf(...words);
export const flagOr =
  (...words: readonly string[]): Shape =>
  (value) =>
    flag(value) || oneOf(...words)(value);
export const between =
  (least: number, most: number): Shape =>
  (value) =>
    number(value) && Number(value) >= least && Number(value) <= most;
export const either =
  (...shapes: readonly Shape[]): Shape =>
  (value) =>
    shapes.some((shape) => shape(value));

/** A path. Git dies of one that begins with the home folder of a user whom it does not find. */
export const path: Shape = (value) => !value.startsWith("~") || value.startsWith("~/");

/** What a fetch or a push moves: one ref, or all below one, to another. */
export const refspec: Shape = (value) => {
  const sides = (value.startsWith("+") || value.startsWith("^") ? value.slice(1) : value).split(
    ":",
  );
  const stars = sides.map((side) => side.split("*").length - 1);
  return (
    sides.length <= 2 &&
    stars.every((count) => count <= 1 && count === stars[0]) &&
    sides.every((side) => isBranchName(side.replace("*", "x")))
  );
};
