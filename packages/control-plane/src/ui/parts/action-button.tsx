import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { type Ask, Unanswered } from "../api/ask.ts";
import { useService } from "../service.ts";
import { Words } from "./text.tsx";

/** What became of a request, in the service's words. */
export type Outcome = { readonly well: boolean; readonly sentences: readonly string[] };

/**
 * One button. `sure` is asked first where something would go away. `done` is told once the service
 * has answered.
 */
export type Action = {
  readonly label: string;
  readonly sure: string | null;
  readonly main?: boolean;
  run(ask: Ask): Promise<Outcome>;
};

export function Actions({
  actions,
  about,
  done,
}: {
  readonly actions: readonly Action[];
  readonly about: string;
  readonly done: () => void;
}): VNode {
  const { ask } = useService();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [asked, setAsked] = useState<Action | null>(null);
  const carryOut = async (action: Action): Promise<void> => {
    setBusy(true);
    setOutcome(await action.run(ask).catch(outcomeOf));
    setBusy(false);
    done();
  };
  return (
    <div class="actions">
      {actions.map((action) => (
        <button
          type="button"
          key={action.label}
          class={action.main === true ? "main" : ""}
          disabled={busy}
          aria-label={`${action.label.replace("…", "")}: ${about}`}
          onClick={() => (action.sure === null ? void carryOut(action) : setAsked(action))}
        >
          {action.label}
        </button>
      ))}
      {asked !== null && (
        <Sure
          action={asked}
          about={about}
          answer={(yes) => (setAsked(null), yes && void carryOut(asked))}
        />
      )}
      <Told outcome={busy ? { well: true, sentences: ["Asked the service…"] } : outcome} />
    </div>
  );
}

export function outcomeOf(error: unknown): Outcome {
  return error instanceof Unanswered
    ? { well: false, sentences: [error.message, error.hint] }
    : { well: false, sentences: ["This page met a fault.", String(error)] };
}

/** Read out as it changes. */
export function Told({ outcome }: { readonly outcome: Outcome | null }): VNode {
  return (
    <p role="status" class={outcome?.well === false ? "told bad" : "told"}>
      {outcome?.sentences
        .filter((each) => each !== "")
        .map((each) => (
          <>
            <Words say={each} />{" "}
          </>
        ))}
    </p>
  );
}

/** The browser's own dialog: it keeps the focus, and Escape leaves everything as it is. */
function Sure({
  action,
  about,
  answer,
}: {
  readonly action: Action;
  readonly about: string;
  readonly answer: (yes: boolean) => void;
}): VNode {
  const shown = useRef<HTMLDialogElement | null>(null);
  const open = (dialog: HTMLDialogElement | null): void => {
    if (dialog !== null && !dialog.open) dialog.showModal();
    shown.current = dialog;
  };
  const label = action.label.replace("…", "");
  return (
    <dialog
      ref={open}
      onClose={() => answer(shown.current?.returnValue === "yes")}
      aria-labelledby="sure-title"
    >
      <form method="dialog">
        <h2 id="sure-title">
          {label}: {about}?
        </h2>
        <p>
          <Words say={action.sure ?? ""} />
        </p>
        <div class="actions">
          <button type="submit" value="no" autofocus>
            Leave it
          </button>
          <button type="submit" value="yes" class="danger">
            {label}
          </button>
        </div>
      </form>
    </dialog>
  );
}
