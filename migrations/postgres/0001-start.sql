create table company (
  id uuid primary key,
  name text not null check (length(trim(name)) > 0),
  created_at timestamptz not null
);

create table credential (
  id uuid primary key,
  company_id uuid not null references company (id),
  name text not null,
  api_key text not null unique,
  access text not null check (access in ('read', 'read-write')),
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  exposed_at timestamptz
);

create index credential_by_company on credential (company_id, id);

create table credential_secret (
  credential_id uuid not null references credential (id),
  digest text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  primary key (credential_id, digest)
);

create table bid (
  company_id uuid not null references company (id),
  id uuid not null,
  bid_name text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  constraint bid_bid_name_check check (length(bid_name) between 1 and 255)
);

create table project (
  company_id uuid not null,
  id uuid not null,
  bid_id uuid not null,
  project_name text collate "C" not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  constraint project_bid_id_fkey foreign key (company_id, bid_id) references bid (company_id, id),
  constraint project_project_name_check check (length(project_name) between 1 and 255)
);

create index project_by_bid_id on project (company_id, bid_id, id);
