import { columnsOf } from '../../resources/define.ts'
import { event } from '../../resources/index.ts'
import { tableOfAllCompanies } from '../compile/company-rows.ts'
import { identifier, integer, join, type Sql, sql } from '../sql.ts'

const moved = columnsOf(event).filter((column) => column !== event.primaryKey)
const namesIn = (table: 'i' | 't'): Sql =>
  join(
    moved.map(({ name }) => identifier(table, name)),
    ', ',
  )
const inbox = tableOfAllCompanies('event_inbox')
const counter = tableOfAllCompanies('event_counter')

/**
 * Moves events from the inbox to their table, with their numbers. Events are locked in their order, and the counter only
 * after them: whoever comes second waits at the first event, and finds the counter as the first one has left it.
 */
export const compileNumbering = (companyIds: readonly string[], eachMax: number): Sql => sql`
  with picked as (
    select i.company_id, i.created_at, i.id from unnest(${`{${companyIds.join()}}`}::text::uuid[]) as given (id) cross join lateral (
      select company_id, created_at, id from ${inbox} where company_id = given.id
      order by created_at, id limit ${integer(eachMax)} for update) as i
  ), taken as (
    delete from ${inbox} as i using picked where
      i.company_id = picked.company_id and i.created_at = picked.created_at and i.id = picked.id
    returning i.company_id, ${namesIn('i')}
  ), counted as (
    insert into ${counter} as c (company_id, last_sequence)
    select company_id, count(*) from taken group by company_id order by company_id
    on conflict (company_id) do update set last_sequence = c.last_sequence + excluded.last_sequence
    returning c.company_id, c.last_sequence
  ), numbered as (
    insert into ${tableOfAllCompanies('event')} (company_id, sequence, ${join(
      moved.map(({ name }) => identifier(name)),
      ', ',
    )})
    select company_id, last_sequence - count(*) over own + row_number() over (own order by t.created_at, t.id), ${namesIn('t')}
    from taken as t join counted using (company_id) window own as (partition by company_id)
    returning company_id
  )
  select company_id, count(*) from numbered group by company_id`
