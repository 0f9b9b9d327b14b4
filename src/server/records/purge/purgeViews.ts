import { sql } from 'kysely'
import { readAnswers } from '../../../contract/answerFilter.ts'
import { filterParameters, kindOf } from '../../../contract/listFilters.ts'
import type { Call } from '../../core/call.ts'
import { purgeAuditEvents } from '../audit/audit.ts'
import { numbersOf } from '../merged/mergedRecords.ts'

interface SavedView {
  id: number
  screen: string
  name: string
  query: Record<string, string>
}

/**
 * Deletes all saved views with a text or date-of-birth filter that matches this client, or with the client's name in
 * their own. Removing only the filter is not enough: the name of such a view mostly names the client, and without its
 * filter it would list everybody else under that name.
 */
export async function purgeViews(
  { contract, db }: Pick<Call, 'contract' | 'db'>,
  client: number,
): Promise<void> {
  const { rows: views } = await sql<SavedView>`select id, screen, name, query from saved_views`.execute(db)
  const texts = views.flatMap((view) => [
    ...textsOf(contract, view).map((text) => ({ id: view.id, text, is_name: false })),
    { id: view.id, text: view.name, is_name: true },
  ])
  const numbers = await numbersOf(db, 'client', [client])
  const { rows } = await sql<{ id: number }>`delete from saved_views where id in (
      select t.id from jsonb_to_recordset(${JSON.stringify(texts)}::jsonb) as t(id int, text text, is_name boolean),
        clients c
      where c.id = ${client} and case when t.is_name
        then strpos(text_key(t.text), text_key(c.first_name)) > 0 and strpos(text_key(t.text), text_key(c.last_name)) > 0
        else trim(t.text) = any(${numbers.map(String)}::text[])
          or digits(t.text) = digits(c.nhs_number) or phone_key(t.text) in (phone_key(c.phone), phone_key(c.mobile))
          or code_key(t.text) = code_key(c.postcode)
          or t.text = c.dob::text
          or t.text ~ '\\w{3}' and not exists (select from regexp_split_to_table(t.text, '[\\s,]+') word
            where strpos(c.search_key, replace(text_key(word), ' ', '')) = 0)
        end
    ) returning id`.execute(db)
  const ids = rows.map(({ id }) => id)
  await purgeAuditEvents(db, 'savedView', sql`${ids}::int[]`)
}

/** Filter values of a saved view that may identify a person: typed texts, and dates of a person. */
function textsOf(contract: Call['contract'], { screen, query }: SavedView): string[] {
  const list = contract.screens[screen]
  if (list?.kind !== 'list' && list?.kind !== 'report') return Object.values(query)
  const filters = filterParameters(contract, list)
  return Object.entries(query).flatMap(([name, text]) => {
    const filter = filters[name]
    const kind = filter && kindOf(filter)
    if (kind === 'answers') return wordsIn(text)
    return kind === 'text' || (kind === 'date' && filter.person) ? text : []
  })
}

function wordsIn(answers: string): string[] {
  const conditions = readAnswers(answers)
  if (typeof conditions === 'string') return [answers]
  return conditions.flatMap(({ operator, values }) => (operator === 'contains' ? values : []))
}
