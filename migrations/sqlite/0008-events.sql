alter table company add column events text not null default 'on' check (events in ('on', 'off'));

create table event (
  company_id text not null references company (id),
  sequence integer not null,
  id text not null,
  type text not null,
  resource text not null,
  row_id text not null,
  row text not null,
  changed text not null,
  previous text,
  created_at text not null,
  actor_kind text not null,
  actor_id text,
  primary key (company_id, sequence)
) strict, without rowid;

-- The number of the company's last event. It stays when old events are deleted.
create table event_counter (
  company_id text not null references company (id),
  last_sequence integer not null,
  primary key (company_id)
) strict, without rowid;

-- Events that have no number yet: see docs/events.md. They are numbered in the order of this key.
create table event_inbox (
  company_id text not null,
  created_at text not null,
  id text not null,
  type text not null,
  resource text not null,
  row_id text not null,
  row text not null,
  changed text not null,
  previous text,
  actor_kind text not null,
  actor_id text,
  primary key (company_id, created_at, id)
) strict, without rowid;
