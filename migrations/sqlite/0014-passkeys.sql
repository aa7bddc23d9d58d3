create table passkey (
  id text primary key,
  person_id text not null references person (id) on delete cascade,
  name text not null,
  credential_id text not null unique,
  public_key text not null,
  counter integer not null,
  device_type text not null,
  backed_up integer not null check (backed_up in (0, 1)),
  transports text,
  aaguid text,
  created_at text not null,
  last_used_at text
) strict, without rowid;

create index passkey_by_person on passkey (person_id, id);

alter table session add column by_passkey integer not null default 0 check (by_passkey in (0, 1));
