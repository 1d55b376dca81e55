/** A sentence of the service in pieces: what stands in backquotes is to be typed as it is. */
export function piecesOf(
  sentence: string,
): readonly { readonly text: string; readonly code: boolean }[] {
  return sentence
    .split(/(`[^`]{1,300}`)/)
    .filter((piece) => piece !== "")
    .map((piece) =>
      /^`.+`$/.test(piece)
        ? { text: piece.slice(1, -1), code: true }
        : { text: piece, code: false },
    );
}

/** The half sentence of a hold as one of its own. */
export function wholeSentence(half: string): string {
  return half === ""
    ? ""
    : `${half.slice(0, 1).toUpperCase()}${half.slice(1)}${/[.!?]$/.test(half) ? "" : "."}`;
}

/** A ref without its prefix, as it is written on the host. */
export function shortRef(ref: string): string {
  return ref.replace(/^host:/, "");
}

/** An address that may be a link; null for anything but the web. */
export function webAddress(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  return /^https?:$/.test(new URL(url).protocol) ? url : null;
}

/** Money as people read it. */
export function dollars(usd: number): string {
  return usd === 0 || usd >= 0.01 ? `$${usd.toFixed(2)}` : "under $0.01";
}
