create table person (
  id text primary key,
  name text not null,
  email text not null unique,
  email_verified integer not null check (email_verified in (0, 1)),
  image text,
  created_at text not null,
  updated_at text not null
) strict, without rowid;

create table session (
  id text primary key,
  person_id text not null references person (id) on delete cascade,
  token text not null unique,
  expires_at text not null,
  ip_address text,
  user_agent text,
  company_id text references company (id),
  created_at text not null,
  updated_at text not null
) strict, without rowid;

create index session_by_person on session (person_id, id);

create table account (
  id text primary key,
  account_id text not null,
  provider_id text not null,
  person_id text not null references person (id) on delete cascade,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at text,
  refresh_token_expires_at text,
  scope text,
  created_at text not null,
  updated_at text not null
) strict, without rowid;

create index account_by_person on account (person_id, id);

create table verification (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at text not null,
  created_at text not null,
  updated_at text not null
) strict, without rowid;

create index verification_by_identifier on verification (identifier, id);

create table setting (
  name text primary key,
  value text not null
) strict, without rowid;

create table member (
  company_id text not null references company (id),
  person_id text not null references person (id) on delete cascade,
  role text not null check (role in ('owner', 'developer', 'viewer')),
  created_at text not null,
  primary key (company_id, person_id)
) strict, without rowid;

-- A person's companies are looked for across all companies: at every request of a signed-in person.
create index member_by_person on member (person_id, company_id);

create table invitation (
  company_id text not null references company (id),
  id text not null,
  email text not null,
  role text not null check (role in ('owner', 'developer', 'viewer')),
  token_digest text not null unique,
  invited_by text not null references person (id) on delete cascade,
  created_at text not null,
  expires_at text not null,
  accepted_at text,
  primary key (company_id, id)
) strict, without rowid;

create table audit_event (
  company_id text not null references company (id),
  id text not null,
  actor_id text,
  actor text not null,
  action text not null,
  target text not null,
  details text not null,
  address text,
  user_agent text,
  request_id text,
  created_at text not null,
  primary key (company_id, id)
) strict, without rowid;

alter table credential add column created_by text;

create table credential_secret_with_id (
  credential_id text not null references credential (id),
  id text not null unique,
  digest text not null,
  created_at text not null,
  expires_at text,
  primary key (credential_id, digest)
) strict, without rowid;

insert into credential_secret_with_id (credential_id, id, digest, created_at, expires_at)
select credential_id,
  lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))),
  digest, created_at, expires_at
from credential_secret;

drop table credential_secret;

alter table credential_secret_with_id rename to credential_secret;

create table credential_usage (
  company_id text not null references company (id),
  credential_id text not null references credential (id),
  secret_id text not null,
  hour text not null,
  outcome text not null check (outcome in ('ok', 'refused', 'not_scoped')),
  requests integer not null,
  primary key (company_id, credential_id, secret_id, hour, outcome)
) strict, without rowid;

create index credential_usage_by_hour on credential_usage (company_id, hour);

create table credential_last_use (
  company_id text not null references company (id),
  credential_id text not null references credential (id),
  secret_id text not null,
  used_at text not null,
  address text,
  user_agent text,
  outcome text not null check (outcome in ('ok', 'refused', 'not_scoped')),
  status integer not null,
  code text,
  method text not null,
  primary key (company_id, credential_id, secret_id)
) strict, without rowid;

-- A mistyped key is told to the company that it was probably meant for.
create index credential_by_key_start on credential (substr(api_key, 1, 12));
