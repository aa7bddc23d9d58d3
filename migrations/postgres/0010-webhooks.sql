create table webhook_endpoint (
  company_id uuid not null references company (id),
  id uuid not null,
  url text not null,
  -- A JSON list of event types; null: all.
  types text,
  -- A condition on the row of an event, as in the query of a URL; empty: none.
  filter text not null,
  -- Encrypted with a key that is not in the database.
  secret text not null,
  old_secret text,
  old_secret_ends_at timestamptz,
  -- Deliveries were made of the events up to this one.
  queued_sequence bigint not null,
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_reason text,
  created_at timestamptz not null,
  created_by text not null,
  primary key (company_id, id)
);

-- distribute: webhook_endpoint

-- One event for one endpoint.
create table webhook_delivery (
  company_id uuid not null references company (id),
  endpoint_id uuid not null,
  event_id uuid not null,
  -- null: a test, which is no event.
  sequence bigint,
  type text not null,
  row_id uuid,
  -- Of a test. All others are made from the event.
  body text,
  state text not null check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null,
  -- null: an earlier event of the same row is still pending, or nothing is left to do.
  next_at timestamptz,
  created_at timestamptz not null,
  primary key (company_id, endpoint_id, event_id)
);

-- distribute: webhook_delivery

create index webhook_delivery_next on webhook_delivery (company_id, endpoint_id, next_at) where next_at is not null;

create index webhook_delivery_pending on webhook_delivery (company_id, endpoint_id, row_id, sequence) where state = 'pending';

create index webhook_delivery_failed on webhook_delivery (company_id, endpoint_id, event_id) where state = 'failed';

create index webhook_delivery_by_created_at on webhook_delivery (company_id, created_at);

create table webhook_attempt (
  company_id uuid not null references company (id),
  endpoint_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  created_at timestamptz not null,
  duration_ms integer not null,
  -- null: there was no answer.
  status integer,
  error text,
  answer text not null,
  primary key (company_id, endpoint_id, id)
);

-- distribute: webhook_attempt

create index webhook_attempt_by_event on webhook_attempt (company_id, endpoint_id, event_id);

create index webhook_attempt_by_created_at on webhook_attempt (company_id, created_at);

-- The endpoints of all companies that have something to do, and who does it: looked for by time.
create table webhook_due (
  company_id uuid not null references company (id),
  endpoint_id uuid not null,
  due_at timestamptz not null,
  is_failing integer not null check (is_failing in (0, 1)),
  -- Whoever works on it, and until when nobody else may.
  lease uuid,
  leased_until timestamptz,
  primary key (company_id, endpoint_id)
);

create index webhook_due_by_due_at on webhook_due (due_at);

-- As in 0006: plans are made for a large company.
do $$
declare
  owned text;
begin
  if to_regclass('pg_dist_partition') is null then
    foreach owned in array array['webhook_endpoint', 'webhook_delivery', 'webhook_attempt'] loop
      execute format('alter table %I alter column company_id set (n_distinct = 5)', owned);
    end loop;
  end if;
end $$;
