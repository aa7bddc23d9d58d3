-- The last requests of each company. The id is the X-Request-Id of the answer, so a newer row has a greater one.
create table request_log (
  company_id uuid not null references company (id),
  id uuid not null,
  credential_id uuid not null,
  created_at timestamptz not null,
  method text not null,
  path text not null,
  outcome text not null check (outcome in ('ok', 'refused', 'not_scoped')),
  status integer not null,
  ms double precision not null,
  code text,
  message text,
  hint text,
  address text,
  user_agent text,
  left_out integer not null,
  primary key (company_id, id)
);

-- distribute: request_log

create index request_log_by_credential on request_log (company_id, credential_id, id);

create index request_log_of_failures on request_log (company_id, id) where outcome <> 'ok';

-- How many requests of one hour took how long: each column counts those that took up to twice as long as those before it.
create table request_latency (
  company_id uuid not null references company (id),
  credential_id uuid not null references credential (id),
  hour timestamptz not null,
  step_0 integer not null,
  step_1 integer not null,
  step_2 integer not null,
  step_3 integer not null,
  step_4 integer not null,
  step_5 integer not null,
  step_6 integer not null,
  step_7 integer not null,
  step_8 integer not null,
  step_9 integer not null,
  step_10 integer not null,
  step_11 integer not null,
  step_12 integer not null,
  step_13 integer not null,
  step_14 integer not null,
  step_15 integer not null,
  primary key (company_id, credential_id, hour)
);

-- distribute: request_latency

create index request_latency_by_hour on request_latency (company_id, hour);

-- As in 0006: plans are made for a company that has a fifth of all rows.
do $$
begin
  if to_regclass('pg_dist_partition') is null then
    alter table request_log alter column company_id set (n_distinct = 5);
    alter table request_latency alter column company_id set (n_distinct = 5);
  end if;
end $$;
