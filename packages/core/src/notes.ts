// What a hook needs to tell a session something, such as its project's notes: no YAML, no reading of language, because
// a session waits for it.
export { type BlockFile, parseBlock, type ParsedBlock } from "./learnings/block.ts";
export { endOfNotes, injection } from "./learnings/inject.ts";
export { dataOf, type PromptText, promptText } from "./message/prompt-text.ts";
