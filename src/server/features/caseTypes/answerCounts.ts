import { sql } from 'kysely'
import type { MetaName, UsageWithChoices } from '../../../contract/meta/metaTypes.ts'
import type { Db } from '../../core/db.ts'

type Form = 'case' | 'issue'
type Counts = Required<UsageWithChoices> & { cases: number; issues: number }

const META: Record<Form, MetaName> = { case: 'case_meta', issue: 'issue_meta' }
/**
 * Number of cases and issues of a case type, and what `answerUsage` counts, without reading the answers; undefined if
 * they were not counted since the choices changed.
 */
export async function storedUsage(db: Db, caseType: number): Promise<Counts | undefined> {
  const { rows } = await sql<{ form: Form; key: string; n: number; stored: boolean }>`
    select form, key, sum(n)::int as n, bool_or(stored) as stored
    from (
      select form, key, count as n, true as stored from answer_counts where case_type = ${caseType}
      union all select form, unnest(added), 1, false from answer_count_changes where case_type = ${caseType}
      union all select form, unnest(removed), -1, false from answer_count_changes where case_type = ${caseType}
    ) counts group by form, key`.execute(db)
  const counts: Counts = {
    cases: 0,
    issues: 0,
    case_meta: {},
    issue_meta: {},
    choices: { case_meta: {}, issue_meta: {} },
  }
  const counted = new Set<Form>()
  for (const { form, key, n, stored } of rows) {
    if (key !== '') {
      if (n > 0) addCount(counts, META[form], key, n)
      continue
    }
    counts[`${form}s`] = n
    if (stored) counted.add(form)
  }
  return counted.size === 2 ? counts : undefined
}

/** Adds the count of a field ('notes') or a choice ('family.kind=sister'). */
function addCount(counts: Counts, meta: MetaName, key: string, n: number): void {
  const [path] = key.split('=', 1)
  if (path === key) counts[meta][key] = n
  else {
    const chosen = counts.choices[meta]
    chosen[path] = { ...(Object.hasOwn(chosen, path) && chosen[path]), [key.slice(path.length + 1)]: n }
  }
}
