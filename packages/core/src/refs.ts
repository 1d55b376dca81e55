export type { Ref, RefText } from "./work-item/ref.ts";
