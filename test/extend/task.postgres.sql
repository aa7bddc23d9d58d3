create table task (
  company_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  task_name text collate "C" not null,
  note text collate "C",
  state text collate "C" default 'open' not null,
  due_at timestamptz,
  due_on date,
  hours bigint,
  cost bigint default '0' not null,
  share double precision,
  is_urgent boolean,
  tags text[] collate "C",
  extra json,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id),
  constraint task_task_name_check check (length(task_name) between 1 and 255),
  constraint task_note_check check (length(note) between 1 and 1000),
  constraint task_state_check check (length(state) between 1 and 20)
);

-- distribute: task

alter table task add constraint task_project_id_fkey foreign key (company_id, project_id) references project (company_id, id);

create index task_by_project_id on task (company_id, project_id, id);

create table entry (
  company_id uuid not null references company (id),
  id bigint not null,
  project_id uuid not null,
  before json not null,
  created_at timestamptz not null,
  primary key (company_id, id)
);

-- distribute: entry

-- Plans are made for a company that has a fifth of all rows.
do $$
begin
  if to_regclass('pg_dist_partition') is null then
    alter table task alter column company_id set (n_distinct = 5);
    alter table entry alter column company_id set (n_distinct = 5);
  end if;
end $$;
