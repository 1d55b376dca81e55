export type { Ref, RefText } from "./work-item/ref.ts";
export { formatRef } from "./work-item/ref.ts";
