/**
 * Marks directories as trusted in the harness's user configuration. Best effort: never throws for a
 * bad file.
 */
export interface Trust {
  /** Whether `prepare` could write, without writing; null where this harness needs no file. */
  check(env: Readonly<Record<string, string>>): Promise<TrustCheck | null>;
  prepare(request: {
    readonly workdir: string;
    readonly workspaceRoot: string | null;
    readonly scope: "workspace-root" | "directory";
    readonly bypass: boolean;
    readonly env: Readonly<Record<string, string>>;
  }): Promise<TrustResult>;
}

export type TrustCheck = {
  readonly kind: "good" | "failed";
  readonly file: string;
  readonly why: string;
};

export type TrustResult =
  | { readonly kind: "written"; readonly file: string; readonly keys: readonly string[] }
  | { readonly kind: "already" }
  | { readonly kind: "failed"; readonly file: string; readonly why: string };
