create table passkey (
  id uuid primary key,
  person_id uuid not null references person (id) on delete cascade,
  name text not null,
  credential_id text not null unique,
  public_key text not null,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz not null,
  last_used_at timestamptz
);

create index passkey_by_person on passkey (person_id, id);

alter table session add column by_passkey boolean not null default false;
