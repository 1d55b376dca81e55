import type { VNode } from "preact";
import type { Ask } from "../api/ask.ts";
import {
  type Item,
  itemAndTurns,
  type Line,
  line,
  pageOf,
  type Turn,
  wait,
} from "../api/shapes.ts";
import { everyPage } from "../api/pages.ts";
import type { Waits } from "../model/board.ts";
import { verbsFor } from "../model/verbs.ts";
import { dollars, shortRef } from "../model/words.ts";
import { Actions } from "../parts/action-button.tsx";
import { AskFor } from "../parts/one-field-form.tsx";
import {
  closeSession,
  grant,
  itemPath,
  linkPullRequest,
  revoke,
  steer,
} from "../parts/item-actions.ts";
import { HostLink, Pill, Title, When, Words } from "../parts/text.tsx";
import { Timeline } from "../parts/timeline.tsx";
import { Transcript } from "../parts/transcript.tsx";
import { Trouble } from "../parts/error-banner.tsx";
import { Turns } from "../parts/turns.tsx";
import { Say, WaitCard } from "../parts/wait-card.tsx";
import { useAnswer } from "../service.ts";

type Story = {
  readonly item: Item;
  readonly standing: readonly string[];
  readonly turns: readonly Turn[];
  readonly waits: readonly Waits[];
  readonly lines: readonly Line[];
  readonly more: boolean;
};

const linesShown = 100;

async function load(ask: Ask, ref: string): Promise<Story> {
  const [{ workItem: item, standing, turns }, waiting, { items: lines, next }] = await Promise.all([
    ask(itemPath(ref), itemAndTurns),
    everyPage(ask, "/waiting", wait),
    ask(`${itemPath(ref)}/timeline?limit=${linesShown}`, pageOf(line)),
  ]);
  return {
    item,
    standing,
    turns,
    waits: waiting
      .filter(({ workItem }) => workItem === item.ref)
      .map((each) => ({ ...each, title: item.title })),
    lines,
    more: next !== null,
  };
}

/** One work item with its whole story. */
export function ItemPage({ name }: { readonly name: string }): VNode {
  const { answer: story, trouble, again } = useAnswer(`item ${name}`, (ask) => load(ask, name));
  return (
    <>
      {story === null && <h1>{shortRef(name)}</h1>}
      <Trouble trouble={trouble} stale={story !== null} />
      {story === null ? (
        trouble === null && <p class="none">Asking the service…</p>
      ) : (
        <Whole story={story} again={again} />
      )}
    </>
  );
}

function Whole({
  story: { item, standing, turns, waits, lines, more },
  again,
}: {
  readonly story: Story;
  readonly again: () => void;
}): VNode {
  const { ref, title, url, sessions, control } = item;
  const alive = sessions.filter(({ status }) => status !== "closed");
  return (
    <>
      <header class="item-head">
        <h1>
          <Title of={title} />
        </h1>
        <p class="facts">
          <HostLink url={url}>{shortRef(ref)}</HostLink>
          <Pill tone={control.status === "started" ? "good" : "calm"}>{control.status}</Pill>
          {item.graph !== null && (
            <Pill
              tone={item.graph.waits === null ? "calm" : "warn"}
            >{`${item.graph.name}: ${item.graph.node}`}</Pill>
          )}
          {item.closeDeferred && <Pill tone="warn">closing waits</Pill>}
          {control.at !== null && <When at={control.at} />}
        </p>
        <p>
          <Words say={standing.join(" ")} />
        </p>
        <Actions
          actions={verbsFor(control.status, sessions.length).map((verb) => steer(ref, verb))}
          about={title === "" ? shortRef(ref) : title}
          done={again}
        />
      </header>
      {waits.map((each) => (
        <WaitCard key={`${each.lane} ${each.reason}`} wait={each} done={again} headed={false} />
      ))}
      <div class="columns">
        <div>
          <section id="timeline" aria-labelledby="timeline-title">
            <h2 id="timeline-title">Timeline</h2>
            <Timeline lines={lines} more={more} />
          </section>
        </div>
        <div>
          <Sessions item={item} again={again} />
          <PullRequests item={item} again={again} />
          <People item={item} again={again} />
          <Spend item={item} />
          <section id="turns" aria-labelledby="turns-title">
            <h2 id="turns-title">Turns</h2>
            <Turns turns={turns} />
          </section>
          {alive.length > 0 && waits.every(({ reason }) => reason !== "asked") && (
            <section id="say" aria-labelledby="say-title">
              <h2 id="say-title">Say something</h2>
              <Say to={ref} label="To its session; nothing is posted on the thread" done={again} />
            </section>
          )}
          {sessions.length > 0 && (
            <section id="transcript" aria-labelledby="transcript-title">
              <h2 id="transcript-title">Conversation</h2>
              <Transcript workItem={ref} />
            </section>
          )}
        </div>
      </div>
    </>
  );
}

type Part = { readonly item: Item; readonly again: () => void };

function Sessions({ item: { sessions }, again }: Part): VNode {
  return (
    <section id="sessions" aria-labelledby="sessions-title">
      <h2 id="sessions-title">Session and checkout</h2>
      {sessions.length === 0 && <p class="none">There is none.</p>}
      {sessions.map(
        ({ endpoint, workItem, harness, harnessSessionId, status, runner, workdir, createdAt }) => (
          <dl key={`${endpoint} ${harnessSessionId}`} class="card">
            {endpoint !== workItem && (
              <>
                <dt>For</dt>
                <dd>{shortRef(endpoint)}</dd>
              </>
            )}
            <dt>Status</dt>
            <dd>
              <Pill tone={status === "active" ? "good" : status === "lost" ? "bad" : "calm"}>
                {status}
              </Pill>{" "}
              since <When at={createdAt} />
            </dd>
            <dt>Harness</dt>
            <dd>
              {harness}, {runner}
            </dd>
            <dt>Id</dt>
            <dd>
              <code>{harnessSessionId}</code>
            </dd>
            <dt>Checkout</dt>
            <dd>{workdir === null ? "none yet" : <code>{workdir}</code>}</dd>
            {status === "active" && (
              <dd class="wide">
                <Actions
                  actions={[closeSession(endpoint)]}
                  about={shortRef(endpoint)}
                  done={again}
                />
              </dd>
            )}
          </dl>
        ),
      )}
    </section>
  );
}

function PullRequests({ item: { ref, pullRequests, url }, again }: Part): VNode {
  return (
    <section id="pull-requests" aria-labelledby="pull-requests-title">
      <h2 id="pull-requests-title">Pull requests</h2>
      {pullRequests.length === 0 ? (
        <p class="none">None is recorded.</p>
      ) : (
        <ul class="rows">
          {pullRequests.map(({ pullRequest, headSha, open, at }) => (
            <li key={pullRequest}>
              <span>
                <HostLink url={addressOf(pullRequest, url)}>{shortRef(pullRequest)}</HostLink>
                {headSha !== null && (
                  <>
                    {" "}
                    at <code>{headSha.slice(0, 10)}</code>
                  </>
                )}
              </span>
              <span class="aside">
                <Pill tone={open ? "good" : "calm"}>{open ? "open" : "closed"}</Pill>
                <When at={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <AskFor
        id="link-pr"
        label="Another pull request"
        button="Record"
        hint="its number here, or owner/repo#number behind host:"
        pattern="[0-9]+|host:.+#[0-9]+"
        run={(text) => linkPullRequest(ref, text)}
        done={again}
      />
    </section>
  );
}

/** Who else is heard. */
function People({ item: { ref, collaborators }, again }: Part): VNode {
  return (
    <section id="people" aria-labelledby="people-title">
      <h2 id="people-title">Also heard</h2>
      {collaborators.length === 0 ? (
        <p class="none">Authorized users alone.</p>
      ) : (
        <ul class="rows">
          {collaborators.map(({ login, grantedBy, at }) => (
            <li key={login}>
              <span>
                @{login}
                <small>
                  let in by @{grantedBy}, <When at={at} />
                </small>
              </span>
              <Actions actions={[revoke(ref, login)]} about={`@${login}`} done={again} />
            </li>
          ))}
        </ul>
      )}
      <AskFor
        id="grant"
        label="Let one login speak to its session"
        button="Grant"
        hint="one login, with or without @"
        pattern="@?[A-Za-z0-9](-?[A-Za-z0-9])*"
        run={(text) => grant(ref, text.replace(/^@/, ""))}
        done={again}
      />
    </section>
  );
}

/**
 * Where a pull request lies on the host, by the address of the item; null where that says nothing
 * about its repository.
 */
function addressOf(pullRequest: string, itemUrl: string | null): string | null {
  const [, repository = "", number = ""] = /([^/:]+\/[^/#]+)#(\d+)$/.exec(pullRequest) ?? [];
  const base =
    itemUrl === null
      ? null
      : /^(https?:\/\/[^/]+\/[^/]+\/[^/]+)\/(?:issues|pull|pulls)\/\d+$/.exec(itemUrl)?.[1];
  return base === null || base === undefined || !base.endsWith(`/${repository}`)
    ? null
    : `${base}/pull/${number}`;
}

function Spend({ item: { spend } }: { readonly item: Item }): VNode {
  return (
    <section id="spend" aria-labelledby="spend-title">
      <h2 id="spend-title">Spend</h2>
      <p>
        {spend.turns} {spend.turns === 1 ? "turn" : "turns"},{" "}
        {spend.minutes < 0.1 && spend.minutes > 0 ? "under 0.1" : spend.minutes.toFixed(1)} minutes,{" "}
        {dollars(spend.usd)}
      </p>
    </section>
  );
}
