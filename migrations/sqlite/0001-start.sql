create table company (
  id text primary key,
  name text not null check (length(trim(name)) > 0),
  created_at text not null
) strict, without rowid;

create table credential (
  id text primary key,
  company_id text not null references company (id),
  name text not null,
  api_key text not null unique,
  access text not null check (access in ('read', 'read-write')),
  created_at text not null,
  expires_at text,
  revoked_at text,
  exposed_at text
) strict, without rowid;

create index credential_by_company on credential (company_id, id);

create table credential_secret (
  credential_id text not null references credential (id),
  digest text not null,
  created_at text not null,
  expires_at text,
  primary key (credential_id, digest)
) strict, without rowid;

create table bid (
  company_id text not null references company (id),
  id text not null,
  bid_name text not null,
  created_at text not null,
  updated_at text not null,
  primary key (company_id, id),
  constraint bid_bid_name_check check (length(bid_name) between 1 and 255)
) strict, without rowid;

create table project (
  company_id text not null,
  id text not null,
  bid_id text not null,
  project_name text not null,
  created_at text not null,
  updated_at text not null,
  primary key (company_id, id),
  constraint project_bid_id_fkey foreign key (company_id, bid_id) references bid (company_id, id),
  constraint project_project_name_check check (length(project_name) between 1 and 255)
) strict, without rowid;

create index project_by_bid_id on project (company_id, bid_id, id);
