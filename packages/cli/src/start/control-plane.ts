import type { Server } from "node:http";
import express from "express";
import { LoopError } from "@loopwork/core/ports";
import {
  createControlPlane,
  createControlPlaneServer,
  type Health,
  type Metrics,
} from "@loopwork/control-plane";
import { peerOf } from "../processes/peer.ts";
import { refuseAgentPeer } from "../steer/refuse-agents.ts";
import { controlPlanePorts } from "./control-plane-ports.ts";
import type { StartedConfig } from "../configuration/load-config.ts";
import type { Io } from "../io/io.ts";
import type { Listen } from "./succession.ts";
import { readOrMakeToken } from "./token-file.ts";
import type { Runtime } from "@loopwork/runtime";
import type { Unwind } from "@loopwork/runtime/unwind";

/** Ready to be served. `serve` resolves to the address that answers `/health`. */
export type ControlPlane = { serve(listen: Listen, unwind: Unwind): Promise<string> };

/** The control plane for `service.host` and `service.port`. */
export async function openControlPlane(
  loaded: StartedConfig,
  wired: Runtime,
  io: Io,
  { health, metrics }: { readonly health: () => Promise<Health>; readonly metrics: Metrics | null },
): Promise<ControlPlane> {
  const { host, port, exposed, allowedHosts, mcp } = loaded.config.service;
  const { router, close } = createControlPlane({
    ports: await controlPlanePorts(loaded, wired, io, health),
    access: { type: "token", token: readOrMakeToken(loaded.paths.tokenFile) },
    mayWrite: async ({ socket }, operation) => {
      const peer = await peerOf(socket);
      if (peer !== null)
        await refuseAgentPeer(peer, wired.parts.store, {
          text: `ask for ${operation}`,
          grants: operation.endsWith("-collaborator"),
        });
    },
    onFailedToken: ({ address, untold }) => wired.parts.log("warn", failedToken(address, untold)),
    allowedHosts: exposed ? [...allowedHosts, inUrl(host)] : [],
    mcp: mcp.enabled ? (await import("@loopwork/control-plane/mcp")).createMcpEndpoint : null,
    metrics: metrics === null ? null : { metrics, store: wired.parts.store },
    version: io.version,
    onFault: (error) =>
      wired.parts.log(
        "error",
        `the control plane met a fault: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      ),
  });
  const server = createControlPlaneServer(express().disable("x-powered-by").use(router));
  return {
    async serve(listen, unwind) {
      await listen(() => listenAt(server, host, port));
      unwind.defer("control plane", async () => {
        await close();
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
      });
      return healthAddress(host, port);
    },
  };
}

/** One line for the log: it may be a guess, or a setting that somebody forgot to change. */
function failedToken(address: string, untold: number): string {
  const more = untold === 0 ? "" : ` (and ${untold} more since the last such line)`;
  return `a request from ${address} showed a wrong control plane token${more}`;
}

function listenAt(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => {
      server.off("listening", listening); // It may be tried again.
      reject(
        new LoopError(
          "LOOP_E_LISTEN",
          `the control plane cannot listen on ${host}:${port}: ${error.message}`,
          "set service.port to a free port, or service.enabled to false",
        ),
      );
    };
    const listening = (): void => {
      server.off("error", failed);
      resolve();
    };
    server.once("error", failed);
    server.listen(port, host, listening);
  });
}

/**
 * Where a program on this machine reaches the service that is bound to `host`; one that is bound to
 * all is reached by loopback.
 */
export function healthAddress(host: string, port: number): string {
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${inUrl(reached)}:${port}/health`;
}

function inUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
