import { Message } from "./message.ts";
import { OutsideText } from "./outside-text.ts";

/** The words of a message, with each text from outside as `quote` shows it. */
export function shown(message: Message, quote: (text: string) => string): string {
  return Message.read(message)
    .map((part) => (part instanceof OutsideText ? quote(OutsideText.read(part)) : part))
    .join("");
}
