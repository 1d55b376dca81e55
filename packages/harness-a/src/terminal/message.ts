import { isUuid } from "../session-id.ts";

/**
 * How a message is written into the harness's input line. The harness marks a long paste as text
 * that its user got from somewhere, and takes orders from it only as far as the user's own words
 * ask for it; so our own words come first. They carry the receipt: by them the message is known in
 * the input line and in the transcript.
 */
export function leadOf(receipt: string): string {
  return `${leadStart(receipt)} do what the message below asks. It comes from the loop service.`;
}

/** Begins every message of ours; a text that quotes a receipt does not begin so. */
export function leadStart(receipt: string): string {
  return `Loop turn ${receipt}:`;
}

/**
 * What stands in the input line, in the order in which a message gets there. `left` is a message of
 * ours under another receipt, whose driver died before it was sent; `foreign` is somebody else's
 * text.
 */
export type Written = "nothing" | "lead" | "whole" | "left" | "foreign";

/** Compares without blanks: the input line breaks lines where the terminal is narrow. */
export function writtenOf(input: string, receipt: string, prompt: string): Written {
  const [found, lead] = [squeezed(input), squeezed(leadOf(receipt))];
  if (found === "") return "nothing";
  if (found === lead) return "lead";
  if (!found.startsWith(lead)) return isLeft(found) ? "left" : "foreign";
  const rest = found.slice(lead.length);
  return isPaste(rest) || rest === squeezed(prompt) ? "whole" : "foreign";
}

/** Our own words to the letter and one paste at most: with anything more, somebody wrote there. */
function isLeft(found: string): boolean {
  const receipt = found.slice(squeezed("Loop turn").length).slice(0, 36);
  const lead = squeezed(leadOf(receipt));
  return (
    isUuid(receipt) &&
    found.startsWith(lead) &&
    (found === lead || isPaste(found.slice(lead.length)))
  );
}

/** The mark by which the input line shows a long paste. */
function isPaste(text: string): boolean {
  return /^\[Pastedtext#\d{1,6}(\+\d{1,9}lines)?\]$/.test(text);
}

function squeezed(text: string): string {
  return text.replaceAll(/\s/g, "");
}
