import { sql } from 'kysely'
import { textKey } from '../../../contract/compareKey.ts'
import { isQuestion } from '../../../contract/fieldTypes.ts'
import type { Field, Group } from '../../../contract/generated.ts'
import type { Call, Handler } from '../../core/call.ts'
import type { Settings } from '../../core/settings.ts'
import { requestedPage } from '../../records/verbs/list.ts'
import { mayBeReferred } from '../referrals/snapshot.ts'
import { placesInWords, REFERRAL, type RegisterLine, registerRows, seenBy } from './registerRows.ts'

/** The register of data, with the questions of the case types as administrators have published them. */
export const list: Handler = async (call) => {
  const { contract, settings, query, exporting } = call
  const key = textKey(String(query.term ?? ''))
  const rows = [...registerRows(contract), ...(await questions(call))]
    .map((row) => ({ ...row, kept: withSettings(row.kept, settings) }))
    .filter((row) => textKey(`${row.record} ${row.field} ${row.purpose}`).includes(key))
    .map((row, i) => ({ id: i + 1, ...row }))
  const { p, size } = requestedPage(call)
  return {
    data: rows.slice((p - 1) * size, p * size),
    pagination: {
      p,
      page_size: size,
      count: rows.length,
      more: false,
      num_pages: Math.max(1, Math.ceil(rows.length / size)),
    },
    ...(exporting && { entity: contract.entities.registerRow }),
  }
}

interface CaseTypeForms {
  label: string
  case_meta: Group[]
  issue_meta: Group[]
}

/** A line for each question of each published case type; records of a retired one still have its answers. */
async function questions({ db, contract }: Call): Promise<RegisterLine[]> {
  const { rows } = await sql<CaseTypeForms>`select label, case_meta, issue_meta from case_types
    where version > 0 order by label, id`.execute(db)
  return rows.flatMap(({ label, case_meta, issue_meta }) =>
    (
      [
        ['case', case_meta],
        ['issue', issue_meta],
      ] as const
    ).flatMap(([name, groups]) => {
      const entity = contract.entities[name]
      const seen_by = seenBy(contract, entity)
      return groups.flatMap(({ fields }) =>
        fields.filter(isQuestion).flatMap((field) => {
          const line = {
            record: `${entity.title}, ${label}`,
            purpose: `A question of the form “${label}”: its administrators say why it is asked.`,
            seen_by,
            kept: entity.retention!,
            goes_to: questionGoesTo(name, field),
          }
          return labelsOf(field).map((one) => ({ ...line, field: one }))
        }),
      )
    }),
  )
}

/** The label of a question, and those of the columns of its rows: "Family", "Family: Telephone". */
function labelsOf({ label, fields = [] }: Field): string[] {
  const columns = fields.filter(isQuestion).flatMap(labelsOf)
  return [label, ...columns.map((column) => `${label}: ${column}`)]
}

/**
 * Where an answer goes: not to lists, but to the chronology unless it is sensitive, and that of a case to referrals.
 */
function questionGoesTo(record: 'case' | 'issue', field: Field): string {
  const files = field.attrs?.sensitive ? [] : ['Excel files of the chronology']
  const referral = record === 'case' && mayBeReferred(field) ? [REFERRAL] : []
  return placesInWords([...files, ...referral])
}

/** A text in which {SETTING} is the value of a setting. */
function withSettings(text: string, settings: Settings): string {
  return text.replace(/\{([A-Z_]+)\}/g, (_, name) => String(settings[name as keyof Settings]))
}
