create table idempotency (
  company_id uuid not null references company (id),
  key text collate "C" not null,
  fingerprint text not null,
  status integer,
  headers text,
  body text,
  created_at timestamptz not null,
  primary key (company_id, key)
);

create index idempotency_by_created_at on idempotency (company_id, created_at);
