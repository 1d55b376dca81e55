// The middleware of @octokit/webhooks on node:http, as its README shows it, with one handler that
// does nothing.
import { createServer } from "node:http";
import { createNodeMiddleware, Webhooks } from "@octokit/webhooks";

const { secret } = JSON.parse(process.argv[2]);
const log = { debug() {}, info() {}, warn() {}, error() {} };
const webhooks = new Webhooks({ secret, log });
webhooks.on("issue_comment", () => {});
webhooks.onError(() => {});
const middleware = createNodeMiddleware(webhooks, { path: "/host-webhook", log });
const server = createServer((request, response) => void middleware(request, response));
server.listen(0, "127.0.0.1", () => process.stdout.write(`ready ${server.address().port}\n`));
