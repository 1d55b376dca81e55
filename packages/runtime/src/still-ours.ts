/** What was begun belongs to another instance, or another process, by now. */
export class NoLongerOurs extends Error {
  override readonly name: string = "NoLongerOurs";
}

/**
 * A last look before a post leaves (`CodeHost.comment`): rejects with `NoLongerOurs` where the
 * store, which `look` asks, says no.
 */
export function stillOurs(look: () => Promise<boolean>): () => Promise<void> {
  return async () => {
    if (!(await look())) throw new NoLongerOurs("another instance goes on with it");
  };
}
