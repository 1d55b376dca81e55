/**
 * The screen as text with escape sequences: what was said, then a dialog, or the input line between
 * two rules.
 */
export function drawScreen({ history, input, dialog, proposal, columns }) {
  const rule = "─".repeat(columns());
  const said = history.flatMap((text) => text.split("\n")).slice(-20);
  const lines =
    dialog === null
      ? [
          ...said,
          "",
          rule,
          `❯\u00a0${inputOf(input, proposal)}`,
          rule,
          "  ⏵⏵ accept edits on (shift+tab to cycle)",
        ]
      : [
          ...said,
          rule,
          ...dialog.words.map((word) => ` ${word}`),
          "",
          ...dialog.answers.map((answer, at) => ` ${at === dialog.at ? "❯" : " "} ${answer}`),
          "",
          " Enter to confirm · Esc to cancel",
        ];
  return `\u001b[2J\u001b[H${lines.join("\r\n")}`;
}

/** A proposal is dim, with the cursor on its first character. */
function inputOf(input, proposal) {
  const text = input
    .map((part) => part.shown ?? part.text)
    .join("")
    .replaceAll("\n", "\r\n  ");
  if (text !== "" || proposal === "") return text;
  return `\u001b[7m${proposal[0]}\u001b[0;2m${proposal.slice(1)}\u001b[0m`;
}
