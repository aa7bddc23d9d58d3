alter table person add column two_factor_enabled integer not null default 0 check (two_factor_enabled in (0, 1));

create table two_factor (
  id text primary key,
  person_id text not null unique references person (id) on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified integer not null check (verified in (0, 1)),
  failed_verification_count integer not null default 0,
  locked_until text,
  last_step integer,
  created_at text not null
) strict, without rowid;

alter table company add column two_factor_required integer not null default 0 check (two_factor_required in (0, 1));

create table sign_in (
  person_id text not null references person (id) on delete cascade,
  id text not null,
  outcome text not null check (outcome in ('ok', 'failed')),
  method text not null,
  address text,
  user_agent text,
  created_at text not null,
  primary key (person_id, id)
) strict, without rowid;

alter table company add column delete_after text;
