import { sql } from 'kysely'
import type { Entity } from '../../../contract/generated.ts'
import { scoped } from '../../access/scope.ts'
import type { Call, Handler } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import { readFrom } from '../../records/query/columns.ts'
import { conditionsOf } from '../../records/query/query.ts'
import { pageOf } from '../../records/verbs/list.ts'

/** The quick filters of the list, as query parameters. */
const CHIPS: Record<string, Call['query']> = {
  all: {},
  overdue: { due: 'overdue' },
  today: { due: 'today' },
  week: { due: 'week' },
  deadlines: { deadlines: true },
  alerts: { alert: 'any' },
  urgent: { urgent: true },
  new: { new_to_me: true },
  quiet: { no_contact_days: 28 },
}
const CHIP_PARAMETERS = Object.values(CHIPS).flatMap((query) => Object.keys(query))

/**
 * A page of the caller's worklist, with the number of rows in each group (`groups`), the number that each quick filter
 * would leave (`chips`), and the number of different issues in the list (`issues`).
 */
export const list: Handler = async (call) => {
  const entity = call.contract.entities.worklistRow
  const [page, counts] = await Promise.all([
    pageOf(call, entity, conditionsOf(call), { unique: sql`r.staff = ${call.me.id}` }),
    call.exporting ? {} : countsOf(call, entity),
  ])
  return { ...page, ...counts }
}

/** Counts groups with all filters, so that they sum to the list, and quick filters with the other filters only. */
async function countsOf(call: Call, entity: Entity) {
  const isChipParameter = ([name]: [string, unknown]) => CHIP_PARAMETERS.includes(name)
  const parts = Object.entries(call.query)
  const only = (query: Call['query']) => conditionsOf({ ...call, query })
  const others = only(Object.fromEntries(parts.filter((part) => !isChipParameter(part))))
  const quick = only(Object.fromEntries(parts.filter(isChipParameter)))
  const chips = Object.entries(CHIPS).map(([name, query]) => count(name, only(query)))
  const groups = entity.properties.due_group.options!.map(({ value }) =>
    count(`#${value}`, [...quick, sql`r.due_group = ${value}`]),
  )
  const issues = sql`(count(distinct r.issue) filter (where ${and(quick)}))::int as "=issues"`
  const { rows } = await sql<Record<string, number>>`select ${sql.join([...chips, ...groups, issues])}
    from ${readFrom(entity)} r where ${and([scoped(entity, call.me), ...others])}`.execute(call.db)
  const { '=issues': distinct, ...counts } = rows[0]
  const found = Object.entries(counts)
  return {
    issues: distinct,
    chips: Object.fromEntries(found.filter(([name]) => !name.startsWith('#'))),
    groups: Object.fromEntries(
      found.flatMap(([name, n]) => (name.startsWith('#') ? [[name.slice(1), n]] : [])),
    ),
  }
}

function count(name: string, conditions: Sql[]): Sql {
  return sql`(count(*) filter (where ${and(conditions)}))::int as ${sql.ref(name)}`
}

function and(conditions: Sql[]): Sql {
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`
}
