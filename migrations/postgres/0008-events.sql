alter table company add column events text not null default 'on' check (events in ('on', 'off'));

create table event (
  company_id uuid not null references company (id),
  sequence bigint not null,
  id uuid not null,
  type text collate "C" not null,
  resource text collate "C" not null,
  row_id uuid not null,
  row json not null,
  changed text[] collate "C" not null,
  previous json,
  created_at timestamptz not null,
  actor_kind text collate "C" not null,
  actor_id text collate "C",
  primary key (company_id, sequence)
);
-- distribute: event

-- The number of the company's last event. It stays when old events are deleted.
create table event_counter (
  company_id uuid not null references company (id),
  last_sequence bigint not null,
  primary key (company_id)
);
-- distribute: event_counter

-- Events that have no number yet: see docs/events.md. They are numbered in the order of this key.
create table event_inbox (
  company_id uuid not null,
  created_at timestamptz not null,
  id uuid not null,
  type text collate "C" not null,
  resource text collate "C" not null,
  row_id uuid not null,
  row json not null,
  changed text[] collate "C" not null,
  previous json,
  actor_kind text collate "C" not null,
  actor_id text collate "C",
  primary key (company_id, created_at, id)
);
-- distribute: event_inbox

-- As in step 6: plans are made for a company that has a fifth of all rows.
do $$
declare
  owned text;
begin
  if to_regclass('pg_dist_partition') is null then
    foreach owned in array array['event', 'event_counter', 'event_inbox'] loop
      execute format('alter table %I alter column company_id set (n_distinct = 5)', owned);
    end loop;
  end if;
end $$;
