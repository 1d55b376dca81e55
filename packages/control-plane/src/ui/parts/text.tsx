import { ago, escapeHidden } from "@loopwork/core/ports";
import type { VNode } from "preact";
import { piecesOf, shortRef, webAddress } from "../model/words.ts";
import { formatRoute } from "../model/route.ts";
import type { Tone } from "../model/tones.ts";
import { useNow } from "../service.ts";

/** A sentence of the service. */
export function Words({ say }: { readonly say: string }): VNode {
  return <>{piecesOf(say).map(({ text, code }) => (code ? <code>{text}</code> : text))}</>;
}

export function When({ at }: { readonly at: number }): VNode {
  const now = useNow();
  const exact = new Date(at).toISOString();
  return (
    <time dateTime={exact} title={exact.slice(0, 19).replace("T", " ") + " UTC"}>
      {ago(at, Math.max(now, Date.now() - 10_000))}
    </time>
  );
}

/** A title, which anybody may have written: a text, with its hidden characters shown. */
export function Title({ of }: { readonly of: string }): VNode {
  return <bdi class="title">{of === "" ? "(no title)" : escapeHidden(of)}</bdi>;
}

/** A work item by its title and its ref. */
export function ItemLink({
  workItem,
  title,
}: {
  readonly workItem: string;
  readonly title: string;
}): VNode {
  return (
    <a class="item" href={formatRoute({ page: "item", ref: workItem })}>
      <Title of={title} />
      <span class="ref">{shortRef(workItem)}</span>
    </a>
  );
}

/** A link to the host; plain text where the address is none of the web. */
export function HostLink({
  url,
  children,
}: {
  readonly url: string | null;
  readonly children: string;
}): VNode {
  const address = webAddress(url);
  return address === null ? (
    <span>{children}</span>
  ) : (
    <a href={address} rel="noreferrer noopener" target="_blank">
      {children}
    </a>
  );
}

export function Pill({
  tone,
  children,
}: {
  readonly tone: Tone;
  readonly children: string;
}): VNode {
  return <span class={`pill ${tone}`}>{children}</span>;
}
