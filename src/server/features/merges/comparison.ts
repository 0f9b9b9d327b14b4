import { addDays } from '../../../contract/days.ts'
import { plainLabel } from '../../../contract/filledTexts.ts'
import type { Field } from '../../../contract/generated.ts'
import { pluralise } from '../../../contract/pluralise.ts'
import { STATUS } from '../../../contract/status.ts'
import type { Call } from '../../core/call.ts'
import { today } from '../../core/today.ts'
import { formatDate, formatValue } from '../../records/audit/formatValue.ts'
import { lookupLabels } from '../../records/audit/lookupLabels.ts'
import type { Mergeable } from '../../records/merged/mergedRecords.ts'
import { type Compared, differencesOf } from './choices.ts'
import { UNDO_DAYS } from './forgetMerges.ts'
import type { Move } from './moves.ts'
import { sightChanges } from './sightChanges.ts'

/** A record with the texts that the merge page shows about it. */
export interface ComparedRecord extends Compared {
  entity: Mergeable
  version: number
  name: string
}

/** The parts of the merge page that are the same for clients and cases. */
export async function comparisonOf(
  call: Call,
  fields: readonly Field[],
  mine: ComparedRecord,
  theirs: ComparedRecord,
  moves: Move[],
) {
  const [rows, sight] = await Promise.all([
    rowsOf(call, fields, mine, theirs),
    sightChanges(call, mine.entity, mine.id, theirs.id),
  ])
  return {
    id: mine.id,
    other: theirs.id,
    version: mine.version,
    other_version: theirs.version,
    name: mine.name,
    other_name: theirs.name,
    rows,
    same: fields.length - rows.length,
    moves: moves
      .filter(({ count }) => count > 0)
      .map(({ id, count, noun }) => ({ id, label: pluralise(count, noun) })),
    sees_more: sight.more,
    sees_less: sight.less,
    undo_until: formatDate(addDays(today(call.settings.TIME_ZONE), UNDO_DAYS)),
    after: afterwards(mine, theirs),
  }
}

/** True if a record that is retired becomes active, because an active one is merged into it. */
export function becomesActive(mine: { status?: unknown }, theirs: { status?: unknown }): boolean {
  return mine.status !== STATUS.active && theirs.status === STATUS.active
}

/** What alerts and deadlines follow. */
const FOLLOWED: Record<Mergeable, string> = { client: 'cases', case: 'issues' }

function afterwards(mine: ComparedRecord, theirs: ComparedRecord): string[] {
  return [
    `${theirs.id} leads to ${mine.id} for ever, and the page says that it was merged.`,
    `Alerts and deadlines follow the ${FOLLOWED[mine.entity]}. Nobody is notified, and no step is planned once more.`,
    ...(becomesActive(mine.values, theirs.values) ? [`${mine.id} is retired, and is active again.`] : []),
  ]
}

async function rowsOf(call: Call, fields: readonly Field[], mine: Compared, theirs: Compared) {
  const differences = await differencesOf(call.db, fields, mine, theirs)
  const values = differences.flatMap(({ field, ...one }) =>
    [one.mine, one.theirs].map((value): [Field, unknown] => [field, value]),
  )
  const labels = await lookupLabels(call, values)
  return differences.map(({ field, both, choice, reason, ...one }) => ({
    id: field.name,
    label: plainLabel(field.label),
    mine: formatValue(one.mine, field, labels),
    theirs: formatValue(one.theirs, field, labels),
    may_both: both !== undefined,
    choice,
    reason,
  }))
}
