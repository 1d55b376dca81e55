export { type Classification, classify, compare, type Comparison, type Fact, reviewBelow, safeOperation } from "./learnings/classify.ts";
export { featureNames, type Features } from "./learnings/features.ts";
export { type Operation, operations, type Weights } from "./learnings/model.ts";
export { type NormalForm, normalForm, type Token, type TokenKind } from "./learnings/normal-form.ts";
