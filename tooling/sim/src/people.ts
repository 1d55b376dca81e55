import { formatRef, type RefText } from "@loopwork/core/ports";
import {
  addComment,
  addLabel,
  addReview,
  deleteComment,
  editComment,
  type Item,
  openIssue,
  removeLabel,
  setOpen,
} from "@loopwork-tooling/practice-host/world";
import { label } from "./host/host.ts";
import { askHere, steerHere } from "./operator.ts";
import type { World } from "./world/world.ts";

/** Words that stand nowhere else, by which a comment is found again in conversations. */
export type Word = {
  readonly token: string;
  readonly by: string;
  readonly number: number;
  readonly delivery: string;
  readonly at: number;
  /** It came by changing a comment. */ readonly edited: boolean;
};

/** ada is authorized, bob may become a collaborator, eve is nobody. */
const people = ["ada", "bob", "eve"] as const;

/** What people do on the host in one run, drawn from the seed. */
export type People = {
  act(): void;
  /**
   * Once nothing goes wrong any more, the operator asks what waits for somebody to go on: in
   * comments, or where those may have been refused on the command line.
   */
  seeTo(where: "in comments" | "on the command line"): void;
  /** Something waits for the operator. */
  isAwaited(): boolean;
  readonly words: readonly Word[];
};

export function createPeople(world: World): People {
  const { host, random, travel } = world;
  const words: Word[] = [];
  const issues = (): readonly Item[] => host.repository.items.filter(({ pull }) => pull === null);
  const pulls = (): readonly Item[] => host.repository.items.filter(({ pull }) => pull !== null);
  const delivered = (): string => travel.deliveries().at(-1)?.id ?? "";

  const word = (by: string, item: Item, say: (text: string) => void, edited = false): void => {
    const token = `word-${words.length + 1}-end`;
    say(`Please look at ${token}.`);
    words.push({
      token,
      by,
      number: item.number,
      delivery: delivered(),
      at: world.scheduler.now(),
      edited,
    });
  };
  const speak = (by: string, item: Item): void =>
    word(by, item, (text) => void addComment(host.state, host.announce, item, text, host.user(by)));
  const steer = (by: string, item: Item, keyword: string): void =>
    void addComment(host.state, host.announce, item, `loop ${keyword}`, host.user(by));
  const any = <T>(list: readonly T[]): T | null =>
    list[random.int(0, Math.max(0, list.length - 1))] ?? null;

  function open(): void {
    const by = random.chance(0.9) ? "ada" : "eve";
    const labels = random.chance(0.85) ? [label] : [];
    const item = openIssue(host.state, host.repository, host.announce, {
      title: "Water the garden",
      body: "It is dry.",
      labels,
      by: host.user(by),
    });
    if (random.chance(0.7)) steer("ada", item, "start");
  }

  /**
   * A pull request that belongs to no issue, and is a work item of its own if it carries the label.
   */
  function openForeign(): void {
    const item = host.openPull(`feature-${pulls().length}`, "", host.user("ada"));
    addLabel(host.state, host.repository, host.announce, item, label, host.user("ada"));
    if (random.chance(0.7)) steer("ada", item, "start");
  }

  function onIssue(item: Item): void {
    const draw = random.next();
    if (draw < 0.4) speak("ada", item);
    else if (draw < 0.5) speak(random.pick(["bob", "eve"]), item);
    else if (draw < 0.72)
      steer(
        random.chance(0.85) ? "ada" : random.pick(people),
        item,
        random.pick([
          "start",
          "start",
          "start",
          "pause",
          "resume",
          "resume",
          "resume",
          "stop",
          "cleanup",
          "remove-collaborator @bob",
        ]),
      );
    else if (draw < 0.74) letIn(item);
    else if (draw < 0.77) steer("ada", item, `start and loop ${random.pick(["stop", "pause"])}`);
    else if (draw < 0.83) change(item);
    else if (draw < 0.9)
      setOpen(
        host.state,
        host.announce,
        item,
        !item.open,
        host.user(random.chance(0.8) ? "ada" : "eve"),
      );
    else if (draw < 0.94) relabel(item);
    else burst(item);
  }

  /** Bob may speak, and often enough not for long: the two are told in any order. */
  function letIn(item: Item): void {
    steer("ada", item, "add-collaborator @bob");
    if (random.chance(0.6))
      world.scheduler.after(random.int(1_000, 5_000), () =>
        steer("ada", item, "remove-collaborator @bob"),
      );
  }

  /** Several words in one breath: they may become one turn, and none may be lost in it. */
  function burst(item: Item): void {
    for (let n = random.int(2, 5); n > 0; n--) speak("ada", item);
  }

  function change(item: Item): void {
    const comment = any(item.comments.filter(({ body }) => !body.includes("<!-- loop:")));
    if (comment === null) return;
    if (random.chance(0.5)) deleteComment(host.announce, item, comment, comment.author);
    else
      word(
        comment.author.login,
        item,
        (text) => editComment(host.state, host.announce, item, comment, text, comment.author),
        true,
      );
  }

  function relabel(item: Item): void {
    const by = host.user(random.pick(people));
    if (item.labels.some(({ name }) => name === label))
      removeLabel(host.state, host.announce, item, label, by);
    else addLabel(host.state, host.repository, host.announce, item, label, by);
  }

  function onPull(item: Item): void {
    const draw = random.next();
    if (draw < 0.5) speak(random.pick(["ada", "ada", "ada", "eve"]), item);
    else if (draw < 0.8) {
      const by = random.pick(["ada", "ada", "eve"]);
      word(
        by,
        item,
        (text) =>
          void addReview(host.state, host.announce, item, {
            state: "changes_requested",
            body: text,
            by: host.user(by),
          }),
      );
    } else if (draw < 0.95)
      host.status(
        item.pull?.head.sha ?? "",
        "build",
        random.pick(["failure", "success"]),
        host.agent,
      );
    else setOpen(host.state, host.announce, item, !item.open, host.user("ada"));
  }

  return {
    words,
    isAwaited: () => host.repository.items.some((item) => item.open && waits(world, item)),
    seeTo(where) {
      for (const item of host.repository.items.filter((each) => each.open && waits(world, each))) {
        if (where === "in comments") steer("ada", item, "resume");
        else void askHere(world, workItemOf(world, item), "resume").catch(world.fault);
      }
    },
    act() {
      const [issue, pull] = [any(issues()), any(pulls())];
      if (issue === null || (issues().length < 3 && random.chance(0.15))) open();
      else if (random.chance(0.08)) void steerHere(world).catch(world.fault);
      else if (pulls().length < 3 && random.chance(0.05)) openForeign();
      else if (pull !== null && random.chance(0.25)) onPull(pull);
      else onIssue(issue);
    },
  };
}

function workItemOf({ host: { repository } }: World, { number }: Item): RefText {
  return formatRef({ host: null, owner: repository.owner.login, repo: repository.name, number });
}

/** A lane of the item waits for somebody, for another reason than that somebody wanted it so. */
function waits({ data }: World, { number }: Item): boolean {
  return [...data.lanes.values()].some(
    ({ workItem, hold }) =>
      workItem.endsWith(`#${number}`) &&
      hold !== null &&
      hold.until === null &&
      (hold.reason === "login" || hold.reason === "loop-breaker" || hold.reason === "budget"),
  );
}
