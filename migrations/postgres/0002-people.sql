create table person (
  id uuid primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null,
  image text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table session (
  id uuid primary key,
  person_id uuid not null references person (id) on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  company_id uuid references company (id),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index session_by_person on session (person_id, id);

create table account (
  id uuid primary key,
  account_id text not null,
  provider_id text not null,
  person_id uuid not null references person (id) on delete cascade,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index account_by_person on account (person_id, id);

create table verification (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index verification_by_identifier on verification (identifier, id);

create table setting (
  name text primary key,
  value text not null
);

create table member (
  company_id uuid not null references company (id),
  person_id uuid not null references person (id) on delete cascade,
  role text not null check (role in ('owner', 'developer', 'viewer')),
  created_at timestamptz not null,
  primary key (company_id, person_id)
);

-- A person's companies are looked for across all companies: at every request of a signed-in person.
create index member_by_person on member (person_id, company_id);

create table invitation (
  company_id uuid not null references company (id),
  id uuid not null,
  email text not null,
  role text not null check (role in ('owner', 'developer', 'viewer')),
  token_digest text not null unique,
  invited_by uuid not null references person (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  primary key (company_id, id)
);

create table audit_event (
  company_id uuid not null references company (id),
  id uuid not null,
  actor_id uuid,
  actor text not null,
  action text not null,
  target text not null,
  details text not null,
  address text,
  user_agent text,
  request_id text,
  created_at timestamptz not null,
  primary key (company_id, id)
);

alter table credential add column created_by text;

alter table credential_secret add column id uuid not null unique default gen_random_uuid();

alter table credential_secret alter column id drop default;

create table credential_usage (
  company_id uuid not null references company (id),
  credential_id uuid not null references credential (id),
  secret_id text not null,
  hour timestamptz not null,
  outcome text not null check (outcome in ('ok', 'refused', 'not_scoped')),
  requests integer not null,
  primary key (company_id, credential_id, secret_id, hour, outcome)
);

create index credential_usage_by_hour on credential_usage (company_id, hour);

create table credential_last_use (
  company_id uuid not null references company (id),
  credential_id uuid not null references credential (id),
  secret_id text not null,
  used_at timestamptz not null,
  address text,
  user_agent text,
  outcome text not null check (outcome in ('ok', 'refused', 'not_scoped')),
  status integer not null,
  code text,
  method text not null,
  primary key (company_id, credential_id, secret_id)
);

-- A mistyped key is told to the company that it was probably meant for.
create index credential_by_key_start on credential (substr(api_key, 1, 12));
