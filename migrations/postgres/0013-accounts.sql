alter table person add column two_factor_enabled boolean not null default false;

create table two_factor (
  id uuid primary key,
  person_id uuid not null unique references person (id) on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null,
  failed_verification_count integer not null default 0,
  locked_until timestamptz,
  last_step integer,
  created_at timestamptz not null
);

alter table company add column two_factor_required boolean not null default false;

create table sign_in (
  person_id uuid not null references person (id) on delete cascade,
  id uuid not null,
  outcome text not null check (outcome in ('ok', 'failed')),
  method text not null,
  address text,
  user_agent text,
  created_at timestamptz not null,
  primary key (person_id, id)
);

alter table company add column delete_after timestamptz;
