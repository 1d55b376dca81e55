export { type HostileText, hostileTexts } from "./hostile-texts.ts";
