/**
 * The grammar of the schema table. The table is data; types, defaults, parsing, errors, JSON Schema
 * and the documentation all come from it.
 */
export type Node = Scalar | ListNode | SetNode | MapNode | RecordsNode | ObjectNode | AliasNode;

export type Scalar = BooleanNode | IntegerNode | NumberNode | StringNode | EnumNode;
export type BooleanNode = {
  readonly type: "boolean";
  readonly default: boolean;
  readonly doc: string;
};
/** Written in plain decimal digits; null as default means that the key may stay unset. */
export type IntegerNode = {
  readonly type: "integer";
  readonly min: number;
  readonly max: number;
  readonly default: number | null;
  readonly doc: string;
};
export type NumberNode = {
  readonly type: "number";
  readonly min: number;
  readonly max: number;
  readonly default: number | null;
  readonly doc: string;
};
export type StringNode = {
  readonly type: "string";
  readonly form: FormName;
  readonly default: string | null;
  readonly required?: true;
  readonly doc: string;
};
/** `unknown: "warn"`: a value that is not listed warns and means the default. */
export type EnumNode = {
  readonly type: "enum";
  readonly values: readonly string[];
  readonly default: string | null;
  readonly unknown?: "warn";
  readonly doc: string;
};
/** Strings of one form, in order. */
export type ListNode = {
  readonly type: "list";
  readonly form: FormName;
  readonly default: readonly string[];
  readonly doc: string;
};
/** Some of the listed values; `whenEmpty: "default"`: an empty list means the default ones. */
export type SetNode = {
  readonly type: "set";
  readonly values: readonly string[];
  readonly default: readonly string[];
  readonly whenEmpty?: "default";
  readonly doc: string;
};
/** Free names, each with a string. */
export type MapNode = {
  readonly type: "map";
  readonly form: FormName;
  readonly default: Readonly<Record<string, string>>;
  readonly doc: string;
};
/** A list of small objects. */
export type RecordsNode = {
  readonly type: "records";
  readonly keys: Readonly<Record<string, Node>>;
  readonly doc: string;
};
export type ObjectNode = {
  readonly type: "object";
  readonly keys: Readonly<Record<string, Node>>;
  readonly doc: string;
};
/**
 * A second place in which the keys of `of` may be written; what is set there moves to `of`.
 * `{default}` stands for `routing.defaultHarness`.
 */
export type AliasNode = { readonly type: "alias"; readonly of: string; readonly doc: string };

/** Forms of strings; each is a function in form.ts. */
export type FormName =
  | "text"
  | "template"
  | "path"
  | "argument"
  | "variable"
  | "instance-name"
  | "login"
  | "repository"
  | "domain"
  | "bind-host"
  | "url-path"
  | "web-url"
  | "store-url"
  | "ref"
  | "label"
  | "keyword"
  | "tool";

/** The value that a node of the table stands for, every default filled in. */
export type ValueOf<N> = N extends { readonly type: "boolean" }
  ? boolean
  : N extends { readonly type: "integer" | "number"; readonly default: infer D }
    ? number | NullOf<D>
    : N extends { readonly type: "string"; readonly default: infer D }
      ? string | NullOf<D>
      : N extends {
            readonly type: "enum";
            readonly values: readonly (infer V)[];
            readonly default: infer D;
          }
        ? V | NullOf<D>
        : N extends { readonly type: "list" }
          ? readonly string[]
          : N extends { readonly type: "set"; readonly values: readonly (infer V)[] }
            ? readonly V[]
            : N extends { readonly type: "map" }
              ? Readonly<Record<string, string>>
              : N extends { readonly type: "records"; readonly keys: infer K }
                ? readonly ValuesOf<K>[]
                : N extends { readonly type: "object"; readonly keys: infer K }
                  ? ValuesOf<K>
                  : never;

type NullOf<D> = D extends null ? null : never;
type ValuesOf<K> = {
  readonly [P in keyof K as K[P] extends { readonly type: "alias" } ? never : P]: ValueOf<K[P]>;
};
