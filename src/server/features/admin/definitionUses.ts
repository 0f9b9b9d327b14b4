import { sql } from 'kysely'
import { outcomesOf } from '../../../contract/automations/evaluateAutomations.ts'
import { GROUP_PREFIX } from '../../../contract/automations/outcomes.ts'
import type { Automation, Deadline, Field, NotifyOutcome } from '../../../contract/generated.ts'
import type { Metas } from '../../../contract/meta/metaTypes.ts'
import { recordFields } from '../../../contract/meta/recordFields.ts'
import { quotedAll } from '../../../contract/quoted.ts'
import type { When } from '../../../contract/when.ts'
import type { Db } from '../../core/db.ts'
import { isTestedIn } from './formUses.ts'
import type { Use } from './usage.ts'

interface Definitions extends Metas {
  label: string
  automations: Automation[]
  deadlines: Deadline[]
}

/**
 * Automations and deadlines of published case types that use an item: in a condition, as the group of people that is
 * notified, or as the type of action that meets a deadline.
 */
export async function definitionUses(db: Db, kind: string, value: number): Promise<Use[]> {
  const isTested = (when: When | undefined, reach: Map<string, Field>) => isTestedIn(when, reach, kind, value)
  const { rows } = await sql<Definitions & { code: string | null }>`select t.label, t.case_meta, t.issue_meta,
      t.automations, t.deadlines, (select l.attrs ->> 'code' from lookup l
        where l.kind = 'staff_groups' and l.kind = ${kind} and l.value = ${value}) as code
    from case_types t where t.version > 0 order by t.label`.execute(db)
  const automations = rows.flatMap((type) =>
    type.automations
      .filter((one) => notifies(one, type.code) || isTested(one.when, recordFields(one.of, type)))
      .map(() => type.label),
  )
  const deadlines = rows.flatMap((type) =>
    type.deadlines
      .filter(({ of, when, paused, met_by }) => {
        const reach = recordFields(of, type)
        const isMeeting = kind === 'action_type' && met_by?.actions?.includes(value)
        return isMeeting || isTested(when, reach) || isTested(paused?.when, reach)
      })
      .map(() => type.label),
  )
  return [...useOf('automation', automations), ...useOf('deadline', deadlines)]
}

function notifies({ then }: Automation, code: string | null): boolean {
  return (
    code !== null &&
    outcomesOf<NotifyOutcome>(then, 'notify').some(({ notify }) => notify.includes(`${GROUP_PREFIX}${code}`))
  )
}

/** The use by definitions; `types` has each case type once for each of its definitions. */
function useOf(noun: string, types: string[]): Use[] {
  if (types.length === 0) return []
  const does = types.length === 1 ? `1 ${noun} names it` : `${types.length} ${noun}s name it`
  const label = `Case type: ${does}: ${quotedAll([...new Set(types)])}`
  const field = `${noun}s`
  return [{ id: `case_types.${field}`, label, table: 'case_types', field, count: types.length }]
}
