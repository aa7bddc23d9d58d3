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
