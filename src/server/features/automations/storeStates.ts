import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { HoldingState, StateChanges } from './stateChanges.ts'

/**
 * Stores the changes of states. Returns the new ones that this transaction inserted: of two that evaluate the same
 * record, one has each.
 */
export async function storeStates(
  db: Db,
  { added, changed, ended }: StateChanges,
  by: number | null,
): Promise<HoldingState[]> {
  if (ended.length > 0) await sql`delete from automation_states where id = any(${ended}::int[])`.execute(db)
  if (changed.length > 0) await update(db, changed)
  return added.length > 0 ? insert(db, added, by) : []
}

async function insert(db: Db, added: HoldingState[], by: number | null): Promise<HoldingState[]> {
  const rows = added.map(({ automation, record, caseId, client, type, ...state }, i) => ({
    i,
    name: automation.name,
    issue: record.issue,
    case: caseId,
    client,
    case_type: type,
    version: state.version,
    label: state.label,
    level: state.level,
    text: state.text,
    because: state.because,
    groups: state.groups,
  }))
  const { rows: inserted } = await sql<{ id: number; i: number }>`with given as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g(i int, name text, issue int, "case" int,
        client int, case_type int, version int, label text, level text, text text, because text, groups int[])
    ), inserted as (
      insert into automation_states (case_type, name, version, client, "case", issue, label, level, text, because, groups, by)
      select case_type, name, version, client, "case", issue, label, level, text, because, groups, ${by} from given order by i
      on conflict do nothing returning id, "case", issue, name
    )
    select s.id, g.i from inserted s
    join given g on g."case" = s."case" and g.issue is not distinct from s.issue and g.name = s.name order by g.i`.execute(
    db,
  )
  const states = inserted.map(({ id, i }) => ({ ...added[i], id }))
  await insertHolds(db, states)
  return states
}

async function update(db: Db, changed: HoldingState[]): Promise<void> {
  const rows = changed.map(({ id, client, version, label, level, text, because, groups }) => ({
    id,
    client,
    groups,
    version,
    label,
    level,
    text,
    because,
  }))
  await sql`update automation_states s set client = g.client, version = g.version, label = g.label, level = g.level, text = g.text,
      because = g.because, groups = g.groups
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as g(id int, client int, version int, label text, level text, text text, because text, groups int[])
    where s.id = g.id`.execute(db)
  const ids = changed.map(({ id }) => id!)
  // A hold that goes on keeps its row, and with it the passes that were given.
  await sql`delete from automation_holds h where h.state = any(${ids}::int[]) and not exists (
    select from jsonb_to_recordset(${JSON.stringify(holdsIn(changed))}::jsonb) as g(state int, call text, text text)
    where g.state = h.state and g.call = h.call and g.text = h.text)`.execute(db)
  await insertHolds(db, changed)
}

function holdsIn(states: HoldingState[]) {
  return states.flatMap(({ id, holds }) => holds.map((hold) => ({ state: id, ...hold })))
}

async function insertHolds(db: Db, states: HoldingState[]): Promise<void> {
  const rows = holdsIn(states)
  if (rows.length === 0) return
  await sql`insert into automation_holds (state, call, text, pass)
    select distinct on (state, call, text) state, call, text, array(select jsonb_array_elements_text(pass)::int)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g(state int, call text, text text, pass jsonb)
    on conflict (state, call, text) do update set pass = excluded.pass`.execute(db)
}
