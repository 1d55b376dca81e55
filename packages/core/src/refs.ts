export { foldName, sameLabel } from "./accounts/fold-name.ts";
export {
  formatRef,
  isDomain,
  isOwnerName,
  isRepositoryName,
  largestNumber,
  parseRef,
  type Ref,
  refGrammar,
  refSlug,
  type RefText,
  sameName,
  sameRef,
  toRefText,
} from "./work-item/ref.ts";
export { parseTypedRef } from "./work-item/typed-ref.ts";
