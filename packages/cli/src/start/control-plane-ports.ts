import type { ControlPlanePorts, Health, Replay, Why } from "@loopwork/control-plane";
import { openSentence, type Policy, sentenceOf } from "@loopwork/core";
import { parseConfig, policyOf } from "@loopwork/core/config";
import type { Runtime, RuntimeParts } from "@loopwork/runtime";
import {
  quietSentence,
  replayLog,
  unownedStarts,
  waitingNow,
  whyDelivery,
  type WhyDelivery,
} from "@loopwork/runtime/records";
import { askHead } from "../steer/ask-head.ts";
import { steeringBy } from "./steering-by-api.ts";
import type { SteeringPorts } from "../steer/steering-ports.ts";
import { ConfigRejected, type StartedConfig } from "../configuration/load-config.ts";
import { openLocksOf, openShowItemOf } from "./open.ts";
import type { Io } from "../io/io.ts";
import { createRestart } from "./schedule-restart.ts";
import { requireSameHost } from "../configuration/same-host.ts";
import { openTranscripts } from "./transcripts.ts";

export type Steering = ControlPlanePorts["steering"];

/** The service's own parts, as the control plane asks for them. */
export async function controlPlanePorts(
  loaded: StartedConfig,
  wired: Runtime,
  io: Io,
  health: () => Promise<Health>,
): Promise<ControlPlanePorts> {
  const { parts } = wired;
  return {
    clock: parts.clock,
    records: parts.store,
    policy: () => parts.settings().policy,
    waiting: async () =>
      (await waitingNow(parts.store, parts.settings().config, parts.clock.now())).waiting,
    unownedStarts: () => unownedStarts(parts.store, parts.settings().policy, parts.clock.now()),
    health,
    steering: steeringBy(await steeringPorts(loaded, wired)),
    restart: createRestart(loaded, io.env, () => parts.clock.now()),
    why: (id) => why(id, parts),
    replay: (since, config) => replayed(since, config, parts),
    transcript: openTranscripts(parts.settings, io, parts.redact),
    learnings: async (workdir) =>
      (await import("./learnings.ts")).learningsIn(workdir, parts.redact),
  };
}

async function steeringPorts(
  loaded: StartedConfig,
  { parts, dispatcher }: Runtime,
): Promise<SteeringPorts> {
  const locks = await openLocksOf(loaded);
  const shownItem = await openShowItemOf(loaded);
  return {
    endConversation: async (harness, id) => parts.harnesses[harness]?.endConversation(id),
    askForConsolidation: async (repository) => parts.learnings?.ask(repository),
    by: "api",
    clock: parts.clock,
    ids: parts.ids,
    config: async () => parts.settings(),
    policy: async () => parts.settings().policy,
    store: async () => parts.store,
    locks: async () => locks,
    wake: async () => dispatcher.poke(),
    shownItem,
    headOf: (pullRequest) => askHead(pullRequest, parts.host, parts.settings()),
  };
}

async function why(id: string, { store, settings, clock }: RuntimeParts): Promise<Why | null> {
  const { policy, config } = settings();
  const told = await whyDelivery(id, {
    store,
    policy,
    bodiesDays: config.retention.bodiesDays,
    quietSeconds: config.routing.coalesce.quietSeconds,
    now: clock.now(),
  });
  return told === null ? null : whyOf(told);
}

function whyOf(told: WhyDelivery): Why {
  const { id, event, receivedAt } = told.kind === "decided" ? told.row.delivery : told.delivery;
  const common = {
    delivery: id,
    event,
    receivedAt,
    workItem: null,
    verdict: null,
    reason: null,
    decidedAt: null,
    check: null,
  };
  switch (told.kind) {
    case "decided": {
      const { workItem, decision, decidedAt, sentences, event: about } = told.row;
      return {
        ...common,
        state: "decided",
        workItem,
        verdict: decision.verdict.kind,
        reason: decision.reason,
        decidedAt,
        check: about?.kind === "ci" ? about.check.name : null,
        sentences,
      };
    }
    case "ignored":
      return { ...common, state: "ignored", reason: told.ignored, sentences: [told.sentence] };
    case "waiting":
      return {
        ...common,
        state: "waiting",
        workItem: told.quiet?.workItem ?? null,
        sentences: [
          told.quiet === null
            ? `Delivery ${id} is stored and waits to be decided.`
            : quietSentence(told.quiet, new Date(told.quiet.until).toISOString()),
        ],
      };
  }
}

/** Decides a stretch of the log anew while the service goes on. */
async function replayed(
  since: number,
  config: string | null,
  { store, settings }: RuntimeParts,
): Promise<Replay> {
  const policy = config === null ? settings().policy : policyIn(config);
  requireSameHost(settings().policy.defaultHost, policy);
  const { decided, same, undecided, changed, unknown } = await replayLog(store.log, since, policy);
  return {
    decided,
    same,
    undecided,
    changed: changed.map(({ delivery, workItem, before, after }) => ({
      delivery,
      workItem,
      before: before.reason,
      after: after.reason,
      sentence: sentenceOf(after.reason, policy),
    })),
    unknown: unknown.map(({ delivery, workItem, before, open }) => ({
      delivery,
      workItem,
      before,
      sentence:
        open === null
          ? "It was ignored at the door, so its body was never kept."
          : openSentence(open),
    })),
  };
}

function policyIn(text: string): Policy {
  const file = "the configuration of the request";
  const parsed = parseConfig(text, { file });
  if (!parsed.ok) throw new ConfigRejected(file, parsed.errors);
  return policyOf(parsed.config);
}
