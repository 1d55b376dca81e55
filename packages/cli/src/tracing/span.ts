import { sha256 } from "@loopwork/runtime/sha256";

/** Where a span belongs: 32 and 16 hexadecimal digits, as the standard has them. */
export type SpanPlace = { readonly traceId: string; readonly spanId: string };

/**
 * Something that took a while. Times are milliseconds since 1970. Attributes hold names, numbers
 * and ids, never what somebody wrote.
 */
export type Span = SpanPlace & {
  readonly parentId: string | null;
  readonly name: string;
  readonly kind: "consumer" | "internal";
  readonly start: number;
  readonly end: number;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Other traces that led here. */
  readonly links: readonly SpanPlace[];
};

/**
 * The first span of a delivery's trace. It follows from the delivery alone, so that every process,
 * and the next life of this one, adds to the same trace without anything being handed on.
 */
export function placeOfDelivery(instance: string, deliveryId: string): SpanPlace {
  const digits = sha256(`loop trace\n${instance}\n${deliveryId}`);
  return { traceId: digits.slice(0, 32), spanId: digits.slice(32, 48) };
}

/** A span below that of a delivery; `what` is different for each of them. */
export function placeBelow({ traceId, spanId }: SpanPlace, what: string): SpanPlace {
  return { traceId, spanId: sha256(`${traceId}\n${spanId}\n${what}`).slice(0, 16) };
}
