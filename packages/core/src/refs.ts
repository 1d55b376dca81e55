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
} from "./ref/ref.ts";
export { parseTypedRef } from "./ref/typed-ref.ts";
