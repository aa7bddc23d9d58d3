create table webhook_endpoint (
  company_id text not null references company (id),
  id text not null,
  url text not null,
  -- A JSON list of event types; null: all.
  types text,
  -- A condition on the row of an event, as in the query of a URL; empty: none.
  filter text not null,
  -- Encrypted with a key that is not in the database.
  secret text not null,
  old_secret text,
  old_secret_ends_at text,
  -- Deliveries were made of the events up to this one.
  queued_sequence integer not null,
  failing_since text,
  disabled_at text,
  disabled_reason text,
  created_at text not null,
  created_by text not null,
  primary key (company_id, id)
) strict, without rowid;

-- One event for one endpoint.
create table webhook_delivery (
  company_id text not null references company (id),
  endpoint_id text not null,
  event_id text not null,
  -- null: a test, which is no event.
  sequence integer,
  type text not null,
  row_id text,
  -- Of a test. All others are made from the event.
  body text,
  state text not null check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null,
  -- null: an earlier event of the same row is still pending, or nothing is left to do.
  next_at text,
  created_at text not null,
  primary key (company_id, endpoint_id, event_id)
) strict, without rowid;

create index webhook_delivery_next on webhook_delivery (company_id, endpoint_id, next_at) where next_at is not null;

create index webhook_delivery_pending on webhook_delivery (company_id, endpoint_id, row_id, sequence) where state = 'pending';

create index webhook_delivery_failed on webhook_delivery (company_id, endpoint_id, event_id) where state = 'failed';

create index webhook_delivery_by_created_at on webhook_delivery (company_id, created_at);

create table webhook_attempt (
  company_id text not null references company (id),
  endpoint_id text not null,
  id text not null,
  event_id text not null,
  created_at text not null,
  duration_ms integer not null,
  -- null: there was no answer.
  status integer,
  error text,
  answer text not null,
  primary key (company_id, endpoint_id, id)
) strict, without rowid;

create index webhook_attempt_by_event on webhook_attempt (company_id, endpoint_id, event_id);

create index webhook_attempt_by_created_at on webhook_attempt (company_id, created_at);

-- The endpoints of all companies that have something to do, and who does it: looked for by time.
create table webhook_due (
  company_id text not null references company (id),
  endpoint_id text not null,
  due_at text not null,
  is_failing integer not null check (is_failing in (0, 1)),
  -- Whoever works on it, and until when nobody else may.
  lease text,
  leased_until text,
  primary key (company_id, endpoint_id)
) strict, without rowid;

create index webhook_due_by_due_at on webhook_due (due_at);
