/**
 * Keys of a terminal in raw mode: `{kind: text|paste|enter|escape|erase|up|down, text}`. A dialog
 * takes them while it is open.
 */
export function createKeys(input) {
  const waiting = [];
  const readers = [];
  let dialog = null;
  let rest = "";
  const give = (key) => {
    if (dialog !== null) dialog(key);
    else if (readers.length > 0) readers.shift()(key);
    else waiting.push(key);
  };
  input.setRawMode(true);
  input.setEncoding("utf8");
  input.on("data", (chunk) => {
    const { keys, left } = keysOf(rest + chunk);
    rest = left;
    keys.forEach(give);
  });
  return {
    next: () =>
      waiting.length > 0
        ? Promise.resolve(waiting.shift())
        : new Promise((resolve) => readers.push(resolve)),
    /** Resolves to the number of the chosen answer; Escape is the last one. */
    dialog(view, draw) {
      return new Promise((resolve) => {
        dialog = (key) => {
          if (key.kind === "enter") resolve(view.at);
          else if (key.kind === "escape" && readers.length > 0) readers.shift()(key);
          else if (key.kind === "escape") resolve(view.answers.length - 1);
          else if (key.kind === "down") view.at = Math.min(view.answers.length - 1, view.at + 1);
          else if (key.kind === "up") view.at = Math.max(0, view.at - 1);
          draw();
        };
      });
    },
    endDialog: () => (dialog = null),
  };
}

const fixed = [
  ["\u001b[A", "up"],
  ["\u001b[B", "down"],
  ["\r", "enter"],
  ["\n", "enter"],
  ["\u0015", "erase"],
];

function keysOf(text) {
  const keys = [];
  for (let at = 0; at < text.length;) {
    if (text.startsWith("\u001b[200~", at)) {
      const end = text.indexOf("\u001b[201~", at);
      if (end < 0) return { keys, left: text.slice(at) };
      keys.push({ kind: "paste", text: text.slice(at + 6, end).replaceAll("\r", "\n") });
      at = end + 6;
      continue;
    }
    const known = fixed.find(([sequence]) => text.startsWith(sequence, at));
    if (known) keys.push({ kind: known[1] });
    else if (text[at] === "\u001b" && text.length === at + 1) keys.push({ kind: "escape" });
    else if (text[at] === "\u001b") {
      const sequence = /^\[[0-9;?]*[A-Za-z]/.exec(text.slice(at + 1));
      at += 1 + (sequence ? sequence[0].length : 0);
      continue;
    } else keys.push({ kind: "text", text: text[at] });
    at += known ? known[0].length : 1;
  }
  return { keys, left: "" };
}
