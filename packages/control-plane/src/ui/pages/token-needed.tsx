import type { VNode } from "preact";

/**
 * Shown instead of everything else: without the token this page knows nothing, and can do nothing.
 */
export function TokenNeeded({ wrong }: { readonly wrong: boolean }): VNode {
  return (
    <main class="token-needed">
      <h1>{wrong ? "This token is not the service's" : "This page needs the service's token"}</h1>
      <p>In a terminal on the machine of the service, type</p>
      <p>
        <code class="command">loop dashboard</code>
      </p>
      <p>
        and open the address that it prints. The token stays in this tab, and is forgotten when you
        close it.
      </p>
    </main>
  );
}
