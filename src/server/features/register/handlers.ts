import { sql } from 'kysely'
import { textKey } from '../../../contract/compareKey.ts'
import { isQuestion } from '../../../contract/fieldTypes.ts'
import type { Group } from '../../../contract/generated.ts'
import type { Call, Handler } from '../../core/call.ts'
import type { Settings } from '../../core/settings.ts'
import { requestedPage } from '../../records/verbs/list.ts'
import { type RegisterLine, registerRows, seenBy } from './registerRows.ts'

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

/** A line for each question of each active case type. */
async function questions({ db, contract }: Call): Promise<RegisterLine[]> {
  const { rows } =
    await sql<CaseTypeForms>`select label, case_meta, issue_meta from case_types order by label`.execute(db)
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
        fields.filter(isQuestion).map((field) => ({
          record: `${entity.title}, ${label}`,
          field: field.label,
          purpose: `A question of the form “${label}”: its administrators say why it is asked.`,
          seen_by,
          kept: entity.retention!,
          goes_to: field.attrs?.sensitive
            ? 'Nowhere: it is sensitive'
            : 'Excel files of cases and issues, and a referral to another hub, if its sender chooses it',
        })),
      )
    }),
  )
}

/** A text in which {SETTING} is the value of a setting. */
function withSettings(text: string, settings: Settings): string {
  return text.replace(/\{([A-Z_]+)\}/g, (_, name) => String(settings[name as keyof Settings]))
}
