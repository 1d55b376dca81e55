/**
 * Of an operator's arguments for turns those with these flags, each as a flag and its value,
 * however it was joined; one without a value is left out.
 */
export function chosenArguments(
  args: readonly string[],
  flags: ReadonlySet<string>,
): readonly string[] {
  return args.flatMap((arg, at) => {
    const end = arg.indexOf("=");
    const [flag, value] = end < 0 ? [arg, args[at + 1]] : [arg.slice(0, end), arg.slice(end + 1)];
    return flags.has(flag) && value !== undefined ? [flag, value] : [];
  });
}
