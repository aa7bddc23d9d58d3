create table idempotency (
  company_id text not null references company (id),
  key text not null,
  fingerprint text not null,
  status integer,
  headers text,
  body text,
  created_at text not null,
  primary key (company_id, key)
) strict, without rowid;

create index idempotency_by_created_at on idempotency (company_id, created_at);
