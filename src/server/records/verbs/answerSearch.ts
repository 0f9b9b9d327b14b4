import { sql } from 'kysely'
import {
  type AnswerCondition,
  type AnsweredForm,
  type AnsweredForms,
  conditionError,
  readAnswers,
  type SearchedField,
  searchedFields,
  typedValues,
} from '../../../contract/answerFilter.ts'
import { parametersOf } from '../../../contract/call.ts'
import { codeKey, phoneKey } from '../../../contract/compareKey.ts'
import { FIELD_TYPES, isChoice, isMoment, takesSeveralChoices } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import { suggest } from '../../../contract/suggest.ts'
import { visibleTo } from '../../access/scope.ts'
import { ajvValidate } from '../../core/ajvValidate.ts'
import type { Call } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import { NO_PREPARE } from '../../core/namedStatements.ts'
import { fieldProblem } from '../../core/problems.ts'
import { choicesOf } from '../lookups/choices.ts'
import { containsKey, searchWords } from '../query/query.ts'

/** A condition with its field. */
interface Resolved {
  condition: AnswerCondition
  searched: SearchedField
  /** True if answer_index and answer_values have all answers to the field. */
  isIndexed: boolean
}

interface CaseTypeRow extends AnsweredForms {
  id: number
  label: string
  case_indexed: Record<string, string>
  issue_indexed: Record<string, string>
}

/**
 * The condition that the answers of a case match the filter of a call, none without one. Conditions on different fields
 * are joined by AND, those on one field and those on different case types by OR. One issue that the caller may see must
 * match all conditions on issues; who may see an issue may see its case.
 */
export async function answerConditions(call: Call): Promise<Sql[]> {
  const [name] =
    Object.entries(parametersOf(call.contract, call.endpoint)).find(([, { match }]) => match === 'answers') ??
    []
  const texts = name === undefined ? undefined : call.query[name]
  if (name === undefined || texts === undefined) return []
  const conditions = [texts].flat().map((text) => readAnswers(String(text)))
  const wrong = conditions.find((one) => typeof one === 'string')
  if (wrong !== undefined) throw fieldProblem({ [name]: [wrong as string] })
  const resolved = await resolve(call, name, (conditions as AnswerCondition[][]).flat())
  const ofTypes = Object.values(groupBy(resolved, ({ condition }) => condition.caseType))
  const ids = sql.join(
    ofTypes.map((of) => casesOfType(call, of)),
    sql` union all `,
  )
  // PostgreSQL needs the values to estimate how many records have them. 'offset 0' keeps the subquery whole: joined with
  // the rows that a person sees, it walked all cases.
  return [sql`r.id in (${sql.raw(NO_PREPARE)} select distinct "case" from (${ids}) matching offset 0)`]
}

/** Adds the fields to the conditions; throws a 400 if the published form has no such searchable field. */
async function resolve(call: Call, name: string, conditions: AnswerCondition[]): Promise<Resolved[]> {
  const ids = [...new Set(conditions.map(({ caseType }) => caseType))]
  const { rows } = await sql<CaseTypeRow>`select id, label, case_meta, issue_meta, case_indexed, issue_indexed
    from case_types where id = any(${ids}::int[]) and version > 0`.execute(call.db)
  const refused = (words: string) => fieldProblem({ [name]: [words] })
  const known = new Map(rows.map((type) => [type.id, { type, fields: searchedFields(type) }]))
  const resolved: Resolved[] = []
  for (const condition of conditions) {
    const { caseType, form, field } = condition
    const found = known.get(caseType)
    if (!found) throw refused(`There is no case type ${caseType}`)
    const ofForm = found.fields.filter((one) => one.form === form)
    const searched = ofForm.find((one) => one.field.name === field)
    if (!searched) {
      const names = ofForm.map((one) => one.field.name)
      throw refused(
        `${found.type.label} has no field '${field}' to search the ${form} by${suggest(field, names)}`,
      )
    }
    const error =
      conditionError(searched, condition, ajvValidate) ?? (await unknownItem(call, searched, condition))
    if (error) throw refused(error)
    resolved.push({ condition, searched, isIndexed: field in found.type[`${form}_indexed`] })
  }
  return resolved
}

/** An error if a condition names an item that its lookup does not have; a retired item may still be an answer. */
async function unknownItem(
  call: Call,
  searched: SearchedField,
  condition: AnswerCondition,
): Promise<string | undefined> {
  const { lookup, options } = searched.field.attrs ?? {}
  if (!lookup || options || condition.operator !== 'is') return undefined
  const values = typedValues(searched, condition) as number[]
  const items = await choicesOf(call, lookup, { active: 'false' }, values)
  const isKnown = (value: number) => items.some((item) => item.value === value)
  return values.every(isKnown) ? undefined : `${searched.field.label} must be one of the choices`
}

/** A query for the ids of the cases of one type that match all of its conditions. */
function casesOfType(call: Call, conditions: Resolved[]): Sql {
  const ofForms = Object.values(groupBy(conditions, ({ condition }) => condition.form))
  const [first, second] = ofForms.map((of) => casesOfForm(call, of[0].condition.form, of))
  return second ? sql`select "case" from (${first}) f where ${isIn(sql`"case"`, second)}` : first
}

/**
 * A query for the ids of the cases of which one record (the case itself or one visible issue) matches all conditions of
 * a form.
 */
function casesOfForm(call: Call, form: AnsweredForm, conditions: Resolved[]): Sql {
  const record = form === 'case' ? sql`"case"` : sql`issue`
  const ofFields = fieldsOf(conditions)
  const keyed = ofFields.filter(isKeyed).map((of) => of.flatMap((one) => keysOf(one)!))
  const others = ofFields
    .filter((of) => !isKeyed(of))
    .map((of) =>
      sql.join(
        of.map((one) => records(call, one)),
        sql` union all `,
      ),
    )
  const [first, ...further] = keyed.length > 0 ? [recordsWithKeys(keyed), ...others] : others
  const tests = further.map((other) => isIn(record, sql`select ${record} from (${other}) o`))
  const where = tests.length > 0 ? sql`where ${sql.join(tests, sql` and `)}` : sql``
  const found = sql`select "case", issue from (${first}) f ${where}`
  return form === 'case' ? sql`select "case" from (${found}) r` : casesOfIssues(call, found)
}

/** The conditions grouped by field. */
function fieldsOf(conditions: Resolved[]): Resolved[][] {
  return Object.values(groupBy(conditions, ({ condition }) => condition.field))
}

function isKeyed(conditions: Resolved[]): boolean {
  return conditions.every((one) => keysOf(one) !== undefined)
}

/** A query for the ids of the cases of those of some issues that are visible. */
function casesOfIssues({ me }: Call, issues: Sql): Sql {
  return sql`select f."case" from (${issues}) f join issues i on i.id = f.issue where ${visibleTo('issue', me, 'i')}`
}

/** A query for the records that have at least one of the keys of each field. */
function recordsWithKeys(ofFields: Sql[][]): Sql {
  const tests = ofFields.map((keys) => sql`x.keys && array[${sql.join(keys)}]`)
  return sql`select x."case", x.issue from answer_index x where ${sql.join(tests, sql` and `)}`
}

/**
 * The keys in answer_index for a condition: a matching record has at least one; undefined if keys cannot express it.
 */
function keysOf({ condition, searched, isIndexed }: Resolved): Sql[] | undefined {
  const { operator } = condition
  if (!isIndexed) return undefined
  if (operator === 'set') return [keyOf(condition, null)]
  if (operator !== 'is' || !isChoice(searched.field)) return undefined
  return typedValues(searched, condition).map((value) => keyOf(condition, value))
}

/** Calls answer_key of the database; a null answer gives the key of records that have any answer. */
function keyOf({ caseType, form, field }: AnswerCondition, answer: unknown): Sql {
  const text = answer === null ? null : String(answer)
  return sql`answer_key(${caseType}::int, ${form}::text, ${field}::text, ${text}::text)`
}

/** A query for the records ("case" and issue) that match one condition. */
function records(call: Call, resolved: Resolved): Sql {
  return (resolved.isIndexed && indexedRecords(resolved)) || answeringRecords(call, resolved)
}

/** The same by the index tables, which triggers fill; undefined if these cannot express the condition. */
function indexedRecords(resolved: Resolved): Sql | undefined {
  const { condition, searched } = resolved
  const { caseType, form, field, operator } = condition
  const keys = keysOf(resolved)
  if (keys) return recordsWithKeys([keys])
  const ofForm = (row: string) => {
    const issue = sql.ref(`${row}.issue`)
    // "is true" keeps the planner from using an index for this: most rows have an issue.
    return form === 'case' ? sql`${issue} is null` : sql`(${issue} is not null) is true`
  }
  if (operator === 'unset') {
    const record = form === 'case' ? sql`"case"` : sql`issue`
    const answered = recordsWithKeys([[keyOf(condition, null)]])
    return sql`select x."case", x.issue from answer_index x where x.case_type = ${caseType}::int and ${ofForm('x')}
      and not ${isIn(sql`x.${record}`, sql`select ${record} from (${answered}) a`)}`
  }
  const byValue = (test: Sql) => sql`select v."case", v.issue from answer_values v
    where v.case_type = ${caseType}::int and v.field = ${field} and ${ofForm('v')} and ${test}`
  if (operator === 'contains') return byValue(hasWords(sql`v.text`, condition.values[0], searched.field))
  if (isMoment(searched.field)) return undefined
  if (operator === 'between') return byValue(isBetween(sql`v.amount`, condition.values.map(amountOf)))
  return byValue(sql`v.amount = any(${typedValues(searched, condition)}::numeric[])`)
}

/** The same by the JSON of the answers, for fields that are not indexed yet. */
function answeringRecords(call: Call, { condition, searched }: Resolved): Sql {
  const { caseType, form, field, operator } = condition
  const answers = form === 'case' ? sql`k.answers` : sql`i.answers`
  const answer = sql`${answers} -> ${field}::text`
  const test = () => {
    if (operator === 'set') return sql`is_answered(${answer})`
    if (operator === 'unset') return sql`not is_answered(${answer})`
    if (operator === 'contains')
      return hasWords(sql`answer_text(${answer})`, condition.values[0], searched.field)
    if (operator === 'between')
      return isBetween(amountIn(call, searched, answer), condition.values.map(amountOf))
    const values = typedValues(searched, condition).map((value) => JSON.stringify(value))
    return takesSeveralChoices(searched.field)
      ? sql`${answer} @> any(${values}::jsonb[])`
      : sql`${answer} = any(${values}::jsonb[])`
  }
  return form === 'case'
    ? sql`select k.id as "case", null::int as issue from cases k where k.case_type = ${caseType}::int and ${test()}`
    : sql`select i."case", i.id as issue from issues i join cases k on k.id = i."case"
        where k.case_type = ${caseType}::int and ${test()}`
}

/** An answer as a comparable number; of a timestamp, its local date as yyyymmdd. */
function amountIn({ settings }: Call, { field }: SearchedField, answer: Sql): Sql {
  if (!isMoment(field)) return sql`answer_amount(${answer})`
  return sql`to_char((${answer} #>> '{}')::timestamptz at time zone ${settings.TIME_ZONE}::text, 'YYYYMMDD')::numeric`
}

/** A value as answer_amount of the database returns it: a date as yyyymmdd, a month as yyyymm, a time as hhmm. */
function amountOf(value: string): string | undefined {
  if (value === '') return undefined
  return /^(\d{4}-\d\d(-\d\d)?|\d\d:\d\d)$/.test(value) ? value.replaceAll(/[-:]/g, '') : value
}

function isBetween(amount: Sql, [first, last]: (string | undefined)[]): Sql {
  const tests = [
    ...(first === undefined ? [] : [sql`${amount} >= ${first}::numeric`]),
    ...(last === undefined ? [] : [sql`${amount} <= ${last}::numeric`]),
  ]
  return sql`${sql.join(tests, sql` and `)}`
}

/** Minimum number of digits of a telephone number that is searched as one. */
const MIN_PHONE_DIGITS = 5

/** The condition that a text contains all words, in any order; a telephone number or postcode in any spelling. */
function hasWords(text: Sql, words: string, { type }: Field): Sql {
  const { isCode, isPhone, parts } = FIELD_TYPES[type]
  const phone = isPhone || parts?.some((part) => FIELD_TYPES[part.type].isPhone) ? phoneKey(words) : ''
  if (phone.length >= MIN_PHONE_DIGITS) return containsKey(text, phone)
  const found = isCode ? [codeKey(words).toLowerCase()].filter(Boolean) : searchWords(words)
  if (found.length === 0) return sql`false`
  return sql.join(
    found.map((word) => containsKey(text, word)),
    sql` and `,
  )
}

/**
 * An IN test as a filter, not a join, so that PostgreSQL hashes the query once whatever number of rows it estimates.
 */
function isIn(column: Sql, query: Sql): Sql {
  return sql`(${column} in (${query})) is true`
}

function groupBy<T>(all: T[], keyOf: (one: T) => string | number): Record<string, T[]> {
  const groups: Record<string, T[]> = {}
  for (const one of all) {
    const key = String(keyOf(one))
    groups[key] = [...(groups[key] ?? []), one]
  }
  return groups
}
