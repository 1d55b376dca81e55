import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { useService } from "../service.ts";
import { type Action, type Outcome, outcomeOf, Told } from "./action-button.tsx";

type Asked = {
  readonly id: string;
  readonly label: string;
  readonly button: string;
  readonly hint: string;
  /** What the browser itself asks for before it sends. */ readonly pattern: string;
  run(text: string): Action["run"];
  readonly done: () => void;
};

/** One word from a person, and a button that does something with it. */
export function AskFor({ id, label, button, hint, pattern, run, done }: Asked): VNode {
  const { ask } = useService();
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const send = async (): Promise<void> => {
    setBusy(true);
    const told = await run(text.trim())(ask).catch(outcomeOf);
    setBusy(false);
    if (told.well) setText("");
    setOutcome(told);
    done();
  };
  return (
    <form class="ask-for" onSubmit={(event) => (event.preventDefault(), void send())}>
      <label for={id}>{label}</label>
      <input
        id={id}
        value={text}
        required
        maxLength={400}
        pattern={pattern}
        title={hint}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" disabled={busy || text.trim() === ""}>
        {button}
      </button>
      <Told outcome={outcome} />
    </form>
  );
}
