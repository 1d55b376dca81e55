/** What `loop-receiver --help` prints. */
export const help: string = `loop-receiver: receives webhooks of a code host, verifies them, and hands them on

It answers 202 only when a delivery is safe on disk, and hands each one on at
least once, in order, also after a crash. Repeated deliveries are dropped.

  export LOOP_HOST_WEBHOOK_SECRET='a long random text'   same as at the code host
  loop-receiver --ndjson | your-program                  one JSON line a delivery
  loop-receiver --forward http://127.0.0.1:9000/hook     or posted on to a program

At the code host, add a webhook: payload URL http://<this machine>:8787/host-webhook,
content type application/json, the same secret.

Where it listens
  --host ADDRESS             default 127.0.0.1; put TLS in front of anything else
  --port N                   default 8787
  --path PATH                default /host-webhook, matched exactly

What it accepts
  --secret-env NAME          variable that holds the secret,
                             default LOOP_HOST_WEBHOOK_SECRET
  --previous-secret-env NAME a second accepted secret, while one is rotated
  --events A,B,C             events that are handed on; default: issues, comments,
                             pull requests, reviews, checks and statuses
  --max-body-bytes N         default 26214400
  --allow-unsigned           listen beyond this machine without a secret

Where deliveries go
  --inbox DIR                folder of stored deliveries, default ./loop-receiver-inbox
  --ndjson                   to standard output (the default), one line each:
                             {"id","event","source","verified","receivedAt","bodyBase64"}
  --forward URL              by POST, with id, event and signature in X-Host-*
                             headers; tried again until it is answered with a 2xx

  --version, --help

GET /health answers ok. Log lines go to standard error. Ctrl-C or SIGTERM stops it.
`;
