import type { Field } from '../../../contract/generated.ts'
import { visible } from '../../../contract/visible.ts'
import type { Values } from '../../../contract/when.ts'
import type { Call } from '../../core/call.ts'
import type { AnsweredEntity } from '../../records/answerMigrations/pendingMigrations.ts'
import { changeTranslation } from '../../records/answerMigrations/translateChanges.ts'
import { metaFor } from '../../records/validate/meta.ts'
import { fetchAny } from '../../records/verbs/read.ts'

/**
 * Returns the reason why the answer to a field cannot be restored, undefined if it can. With `at` (ISO), `name` is the
 * name that the field had at that moment.
 */
export type WhyNot = (name: string, at?: string | Date | null) => string | undefined

const REASONS = {
  gone: 'This cannot be put back: its question is no longer asked',
  hidden: 'This cannot be put back: its question is hidden by other answers',
  calculated: 'This cannot be put back: its value is calculated',
}

/** The reasons for the answers of a case or issue, by the form and the answers that it has now; throws the 404. */
export async function whyNotRestored(call: Call, name: string, record: unknown): Promise<WhyNot> {
  const entity = call.contract.entities[name]
  const row = await fetchAny(call, entity, record)
  const [{ groups, contextOf }, translate] = await Promise.all([
    metaFor(call, entity, record),
    changeTranslation(call.db, entity.$id as AnsweredEntity, record),
  ])
  const shown = namesIn(visible(groups, { ...contextOf(row), answers: row.answers as Values }))
  const fields = new Map(groups.flatMap((g) => g.fields).map((field): [string, Field] => [field.name, field]))
  const reasonOf = (answer: string) => {
    const field = fields.get(answer)
    if (!field || field.attrs?.is_on === false) return REASONS.gone
    if (field.attrs?.calc || field.attrs?.hidden) return REASONS.calculated
    return shown.has(answer) ? undefined : REASONS.hidden
  }
  return (name, at) => {
    if (!at) return reasonOf(name)
    const now = Object.keys(translate({ [`answers.${name}`]: { from: null, to: null } }, at))
    return now.map((path) => reasonOf(path.replace('answers.', ''))).find(Boolean)
  }
}

function namesIn(groups: { fields: Field[] }[]): Set<string> {
  return new Set(groups.flatMap(({ fields }) => fields.map(({ name }) => name)))
}
