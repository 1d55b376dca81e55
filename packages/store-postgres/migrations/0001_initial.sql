-- The same tables as SQLite's. Times are milliseconds since 1970. Records that are always loaded and saved
-- whole are JSON documents as text, because what people write may hold what jsonb refuses; what is asked for by value stands
-- in columns beside them. Refs compare by bytes, whatever the collation of the database.

create table schema_version (
  version integer primary key,
  name text not null,
  applied_at bigint not null
);

-- One clock for the leases of all machines.
create function loop_now() returns bigint language sql volatile as $$
  select (extract(epoch from clock_timestamp()) * 1000)::bigint
$$;

-- One row a named loop: what it says of its present life, and what somebody told it.
create table instance (
  name text primary key,
  incarnation text not null,
  machine text not null,
  scope text not null,
  started_at bigint not null,
  seen_at bigint not null,
  ended boolean not null,
  drained boolean not null default false
);

-- What came in, in the order in which it is decided: numbered under a lock, so that a number is never seen before a smaller one.
create table delivery (
  seq bigint primary key,
  id text not null unique,
  source text not null check (source in ('webhook', 'poll', 'cli', 'api')),
  event text not null,
  verified boolean not null,
  received_at bigint not null,
  digest text not null,
  ignored text
);
create index delivery_verified on delivery (digest, seq) where verified;
create index delivery_received on delivery (received_at);

create table delivery_body (
  seq bigint primary key references delivery (seq),
  body bytea not null,
  length integer not null
);
alter table delivery_body alter column body set storage external;

-- Each instance reads the log for itself: all deliveries up to `seq` are decided or ignored.
create table cursor (
  instance text primary key,
  seq bigint not null
);

create table decision (
  instance text not null,
  seq bigint not null references delivery (seq),
  work_item text collate "C",
  key text,
  verdict text not null,
  reason text not null,
  event text,
  state text,
  decision text not null,
  decided_at bigint not null,
  primary key (instance, seq)
);
create unique index decision_key on decision (instance, key) where key is not null;
create index decision_work_item on decision (instance, work_item, seq) where work_item is not null;
-- What people asked for in vain is looked through whenever somebody asks how things are; it is little in a long log.
create index decision_refused on decision (instance, seq) where verdict = 'refused';

-- `record` is null until something about the item had to be remembered.
create table work_item (
  ref text collate "C" primary key,
  record text,
  instance text,
  status text
);

create table session (
  work_item text collate "C" not null references work_item (ref),
  endpoint text collate "C" not null,
  position integer not null,
  record text not null,
  harness_session_id text not null,
  status text not null,
  workdir text,
  created_at bigint not null,
  primary key (work_item, endpoint)
);
create index session_endpoint on session (endpoint);
create index session_harness on session (harness_session_id);

create table pr_link (
  work_item text collate "C" not null references work_item (ref),
  pull_request text collate "C" not null,
  position integer not null,
  record text not null,
  head_sha text,
  linked_at bigint not null,
  primary key (work_item, pull_request)
);
create index pr_link_pull_request on pr_link (pull_request);
create index pr_link_head on pr_link (head_sha) where head_sha is not null;

create table collaborator (
  work_item text collate "C" not null references work_item (ref),
  login text not null,
  position integer not null,
  record text not null,
  primary key (work_item, login)
);

create table ci_attempt (
  work_item text collate "C" not null references work_item (ref),
  pull_request text collate "C" not null,
  check_name text not null,
  position integer not null,
  record text not null,
  primary key (work_item, pull_request, check_name)
);

-- One lane an endpoint, never removed: `fence` only grows. `lease_until` is by loop_now().
create table lane (
  number bigint generated always as identity primary key,
  endpoint text collate "C" not null unique,
  work_item text collate "C" not null references work_item (ref),
  instance text not null,
  hold text,
  holder text,
  lease_until bigint,
  lease_ms bigint,
  fence bigint not null default 0
);
create index lane_work_item on lane (work_item);
create index lane_leased on lane (instance) where holder is not null;

-- Turns that are folded into another go; their numbers are never given again.
create table turn (
  id bigint generated always as identity primary key,
  lane text collate "C" not null references lane (endpoint),
  work_item text collate "C" not null references work_item (ref),
  mode text not null check (mode in ('spawn', 'resume')),
  state text not null check (state in ('ready', 'injecting', 'done', 'failed', 'uncertain', 'dropped')),
  attempt text,
  attempts integer not null,
  not_before bigint not null,
  next text not null check (next in ('first', 'again', 'continue')),
  note text,
  created_at bigint not null
);
create index turn_standing on turn (lane, id) where state in ('ready', 'injecting', 'uncertain');
create index turn_lane on turn (lane, id);
create index turn_work_item on turn (work_item, id);

-- At most one turn of a delivery on a lane.
create table turn_delivery (
  lane text collate "C" not null references lane (endpoint),
  delivery_id text not null,
  turn bigint not null references turn (id),
  seq bigint not null,
  authority text not null,
  received_at bigint not null,
  event text not null,
  steered text,
  primary key (lane, delivery_id)
);
create index turn_delivery_turn on turn_delivery (turn, seq);

-- The outbox.
create table effect (
  id bigint generated always as identity primary key,
  instance text not null,
  work_item text collate "C" not null,
  delivery_id text not null,
  kind text not null,
  effect text not null,
  state text not null check (state in ('pending', 'done', 'failed')),
  attempts integer not null default 0,
  not_before bigint not null default 0,
  note text,
  created_at bigint not null
);
create index effect_pending on effect (instance, work_item, id) where state = 'pending';
create index effect_delivery on effect (delivery_id);

-- Numbered under a lock like the deliveries, so that who follows the log by its numbers misses no line.
create table event (
  id bigint generated always as identity primary key,
  time bigint not null,
  kind text not null,
  level text not null,
  instance text not null,
  work_item text collate "C",
  delivery text,
  reason text,
  fields text not null,
  comment text
);
create index event_work_item on event (work_item, id) where work_item is not null;
create index event_delivery on event (delivery, id) where delivery is not null;
create index event_comment on event (comment, id) where comment is not null;
create index event_time on event (time);

-- Numeric ids that logins were pinned to on first sight; logins in lower case.
create table actor (
  login text primary key,
  id text not null,
  first_seen bigint not null
);

-- Repositories by the host's immutable id: the name under which each is known here, and what the host calls it now.
create table repository (
  host text collate "C" not null, -- '' is the default host
  id text collate "C" not null,
  known_owner text not null,
  known_name text not null,
  present_owner text not null,
  present_name text not null,
  primary key (host, id)
);

create table poll_cursor (
  instance text not null,
  repository text collate "C" not null,
  resource text not null,
  record text not null,
  primary key (instance, repository, resource)
);
