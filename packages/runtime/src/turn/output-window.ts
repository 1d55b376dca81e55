/**
 * Lines that may matter for judging an attempt: every signal, and the newest of the rest. Memory
 * stays flat.
 */
export type OutputWindow = {
  add(line: string, isSignal: boolean): void;
  lines(): readonly string[];
};

const newestKept = 200;
const signalsKept = 2_000;
/**
 * Characters of one line that is no signal; signals stay whole, because a cut one would no longer
 * parse.
 */
const longestKept = 64 * 1024;
/** Characters of all signals together: more than any end of a turn needs. */
const signalCharsKept = 32 * 1024 * 1024;

export function createOutputWindow(): OutputWindow {
  const signals: { readonly at: number; readonly line: string }[] = [];
  const newest: { readonly at: number; readonly line: string }[] = [];
  let signalChars = 0;
  let count = 0;
  return {
    add(line, isSignal) {
      const at = count++;
      if (!isSignal) {
        newest.push({ at, line: line.slice(0, longestKept) });
        if (newest.length > newestKept) newest.shift();
        return;
      }
      signals.push({ at, line });
      signalChars += line.length;
      while (signals.length > 1 && (signals.length > signalsKept || signalChars > signalCharsKept))
        signalChars -= signals.shift()?.line.length ?? 0;
    },
    lines: () => [...signals, ...newest].toSorted((a, b) => a.at - b.at).map(({ line }) => line),
  };
}
