import { addDays } from '../../../contract/days.ts'
import { plainLabel } from '../../../contract/filledTexts.ts'
import type { Field } from '../../../contract/generated.ts'
import { pluralise } from '../../../contract/pluralise.ts'
import type { Call } from '../../core/call.ts'
import { today } from '../../core/today.ts'
import { formatDate, formatValue } from '../../records/audit/formatValue.ts'
import { lookupLabels } from '../../records/audit/lookupLabels.ts'
import type { Mergeable } from '../../records/merged/mergedRecords.ts'
import { type Compared, differencesOf } from './choices.ts'
import { UNDO_DAYS } from './forgetMerges.ts'
import { sightChanges } from './sightChanges.ts'

/** A record with what its page of a merge says of it. */
export interface ComparedRecord extends Compared {
  entity: Mergeable
  version: number
  name: string
}

/** What moves: an id, how many, and what. */
export interface Move {
  id: string
  count: number
  noun: string
}

/** What the page of a merge has of any two records. */
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
  }
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
