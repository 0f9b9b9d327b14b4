import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import xlsx from 'xlsx'
import {
  type AnswerCondition,
  type AnsweredForm,
  OPERATORS,
  type SearchedField,
  searchedFields,
  writeAnswers,
} from '../../src/contract/answerFilter.ts'
import { FIELD_TYPES, isMoment } from '../../src/contract/fieldTypes.ts'
import type { Field, FieldType, Group } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { indexAnswers } from '../../src/server/features/caseTypes/indexAnswers.ts'
import { FULL, itInFull } from '../full.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase, example } from './newCase.ts'

const NHS = 5

const context = describeServer()
let admin: Caller
beforeAll(async () => {
  admin = await context.as('admin')
  // One person searches for many here.
  delete context.contract.endpoints['search.cases'].perMinute
})

const search = (caller: Caller, answers: unknown, more: object = {}, query: object = {}) =>
  caller('search.cases', { body: { answers, ...more }, query: { page_size: 500, ...query } })
async function found(answers: string | string[], caller = admin, more: object = {}): Promise<number[]> {
  const { status, body } = await search(caller, answers, more)
  expect([answers, status, body.data ? '' : body]).toEqual([answers, 200, ''])
  return body.data.map(({ id }: { id: number }) => id)
}
async function refused(answers: unknown): Promise<string> {
  const { status, body } = await search(admin, answers)
  expect([status, Object.keys(body)]).toEqual([400, ['answers']])
  return body.answers[0]
}
const setAnswers = (table: 'cases' | 'issues', id: number, answers: Values) =>
  sql`update ${sql.table(table)} set answers = ${JSON.stringify(answers)}::jsonb where id = ${id}`.execute(
    context.db,
  )
const formsOf = async (id: number) => (await admin('caseTypes.read', { params: { id } })).body
const rowsOf = async (id: number) =>
  (
    await sql<{ n: number }>`select (select count(*) from answer_index where "case" = ${id}) +
      (select count(*) from answer_values where "case" = ${id}) as n`.execute(context.db)
  ).rows[0].n

/** Does something by the index, and again as if nothing were indexed yet. */
async function bothWays(check: () => Promise<void>): Promise<void> {
  await check()
  await sql`update case_types set case_indexed = '{}', issue_indexed = '{}'`.execute(context.db)
  await check()
  await indexAnswers({ db: context.db, ending: new AbortController().signal })
  await check()
}

const BOUNDS: Partial<Record<FieldType, [below: string, above: string]>> = {
  date: ['2001-01-01', '2099-01-01'],
  datetime: ['2001-01-01', '2099-01-01'],
  decimal: ['999.50', '30000.00'],
  money: ['-9.50', '1234.51'],
  year: ['1990', '2099'],
  month: ['2001-12', '2099-01'],
  time: ['09:30', '23:59'],
}

/** Conditions on a field that its answer meets, and some that it does not. */
function conditionsOn(
  { field }: SearchedField,
  answer: unknown,
): Record<'meets' | 'fails', Partial<AnswerCondition>[]> {
  const { type } = field
  const text = String(typeof answer === 'object' ? Object.values(answer as object)[0] : answer)
  const meets: Partial<AnswerCondition>[] = [{ operator: 'set', values: [] }]
  const fails: Partial<AnswerCondition>[] = [{ operator: 'unset', values: [] }]
  const operators = OPERATORS[type]
  if (operators.includes('is')) {
    const [own] = [answer].flat().map(String)
    const other = { yesno: 'yes', integer: '987' }[type as string] ?? field.attrs?.options?.at(-1)?.value ?? 1
    meets.push({ operator: 'is', values: [own] }, { operator: 'is', values: [String(other), own] })
    fails.push({ operator: 'is', values: [String(other)] })
  }
  if (operators.includes('contains')) {
    meets.push({ operator: 'contains', values: [text.slice(0, 5).toUpperCase()] })
    fails.push({ operator: 'contains', values: [`${text.slice(0, 5)} nowhere`] })
  }
  if (operators.includes('between')) {
    const value = text.slice(0, 10)
    const [before, after] = BOUNDS[type] ?? ['1', '300000']
    meets.push(
      ...[
        [value, value],
        [before, after],
        ['', value],
        [value, ''],
      ].map((values) => ({ operator: 'between' as const, values })),
    )
    fails.push({ operator: 'between', values: [after, ''] })
  }
  return { meets, fails }
}

async function expectOperators(
  caseType: number,
  fields: SearchedField[],
  made: { id: number; issue: number },
) {
  const answers: Record<AnsweredForm, Values> = { case: {}, issue: {} }
  for (const { form, field } of fields) answers[form][field.name] = example(field)
  await setAnswers('cases', made.id, answers.case)
  await setAnswers('issues', made.issue, answers.issue)
  await bothWays(async () => {
    for (const searched of fields) {
      const { form, field } = searched
      const { meets, fails } = conditionsOn(searched, answers[form][field.name])
      const ask = async (condition: Partial<AnswerCondition>) => {
        const text = writeAnswers([{ caseType, form, field: field.name, ...condition } as AnswerCondition])
        return { text, isFound: (await found(text)).includes(made.id) }
      }
      for (const one of meets) {
        const { text, isFound } = await ask(one)
        expect(isFound, text).toBe(true)
      }
      for (const one of fails) {
        const { text, isFound } = await ask(one)
        expect(isFound, text).toBe(false)
      }
    }
  })
}

describe('every question that is offered in reports', () => {
  it.each(FULL ? [1, 2, 3, 4, 5, 6] : [1])(
    'of case type %i is searched by every operator of its type',
    async (caseType) => {
      const fields = searchedFields(await formsOf(caseType))
      expect(fields.length).toBeGreaterThan(10)
      // In `npm test` one question of each type.
      const typeOf = ({ field }: SearchedField) => field.type
      const searched = FULL
        ? fields
        : fields.filter((one, i) => fields.findIndex((other) => typeOf(other) === typeOf(one)) === i)
      await expectOperators(caseType, searched, await createCase(admin, caseType))
    },
  )

  it('is indexed by what its operators compare', async () => {
    const meta = [{ name: 'all', label: 'All', fields: ownFields() }]
    const { rows } = await sql<{ kinds: Record<string, string> }>`
      select searched_fields(${JSON.stringify(meta)}::jsonb) as kinds`.execute(context.db)
    const kindOf = (field: Field) => {
      const operators = OPERATORS[field.type]
      // A time of a day is compared in the time zone of the settings, so not by an index.
      if (operators.includes('between')) return isMoment(field) ? 'answered' : 'amount'
      if (operators.includes('contains')) return 'text'
      return operators.includes('is') ? 'choice' : 'answered'
    }
    expect(rows[0].kinds).toEqual(Object.fromEntries(ownFields().map((field) => [field.name, kindOf(field)])))
  })

  itInFull('is searched whatever its type', async () => {
    const group = { name: 'all', label: 'All', fields: ownFields() }
    const body = { label: 'Every type', service: 1, case_meta: [group], issue_meta: [group] }
    const { status, body: type } = await admin('caseTypes.create', { body })
    expect([status, type]).toMatchObject([201, { version: 1 }])
    await expectOperators(type.id, searchedFields(type), await createCase(admin, type.id))
  })
})
const OPTIONS = [
  { value: 'red', label: 'Red' },
  { value: 'blue', label: 'Blue' },
]
/** A field of each type that asks something, offered in reports. */
const ownFields = (): Field[] =>
  (Object.keys(FIELD_TYPES) as FieldType[])
    .filter((type) => type !== 'note')
    .map((type) => ({
      name: `own_${type}`,
      label: `Own ${type}`,
      type,
      attrs: { report: true, ...(['select', 'multiselect'].includes(type) && { options: OPTIONS }) },
      ...(type === 'repeat' && {
        fields: [{ name: 'note', label: 'Note', type: 'text', attrs: { required: true } }],
      }),
    }))

describe('conditions', () => {
  let cases: { id: number; issue: number }[]
  const answer = (at: number, more: Values) => setAnswers('issues', cases[at].issue, more)
  beforeAll(async () => {
    cases = [
      await createCase(admin, NHS),
      await createCase(admin, NHS),
      await createCase(admin, NHS),
      await createCase(admin, 1),
    ]
    await answer(0, {
      organisation: 'St Mary’s Hospital, Łódź',
      upheld: 'upheld',
      response_date: '2026-03-01',
    })
    await answer(1, { organisation: 'Northgate Surgery', upheld: 'upheld', response_date: '2026-04-01' })
    await answer(2, { organisation: 'Northgate Surgery', upheld: 'not_upheld' })
    await answer(3, { decision_date: '2026-03-01' })
  })
  const expectFound = async (answers: string | string[], at: number[], more: object = {}) => {
    const ids = await found(answers, admin, more)
    expect([answers, cases.flatMap(({ id }, i) => (ids.includes(id) ? i : []))]).toEqual([answers, at])
  }

  it('on several questions must all be met, and several on one question any', () =>
    bothWays(async () => {
      await expectFound('5.issue.organisation.contains.northgate', [1, 2])
      await expectFound('5.issue.organisation.contains.northgate*5.issue.upheld.is.upheld', [1])
      await expectFound('5.issue.upheld.is.upheld*5.issue.upheld.is.not_upheld', [0, 1, 2])
      await expectFound('5.issue.upheld.is.upheld.not_upheld*5.issue.response_date.between.2026-03-15.', [1])
      await expectFound('5.issue.response_date.between..2026-03-15*5.issue.response_date.unset', [0, 2])
      await expectFound(['5.issue.organisation.contains.northgate', '5.issue.upheld.is.upheld'], [1])
    }))

  it('compare decimal numbers by every digit', async () => {
    const costs = { name: 'costs', label: 'Costs', type: 'money', attrs: { report: true } }
    const group = { name: 'all', label: 'All', fields: [costs] }
    const body = { label: 'Costs', service: 1, case_meta: [group], issue_meta: [] }
    const { body: type } = await admin('caseTypes.create', { body })
    const { id } = await createCase(admin, type.id)
    const { body: read } = await admin('cases.read', { params: { id } })
    const change = (value: unknown) =>
      admin('cases.update', { params: { id }, body: { version: read.version, answers: { costs: value } } })
    expect((await change(12.5)).body).toEqual({ 'answers.costs': ['Costs must be an amount such as 12.50'] })
    expect((await change('123456789012345.67')).status).toBe(200)
    await bothWays(async () => {
      const between = (first: string, last: string) =>
        found(`${type.id}.case.costs.between.${first.replace('.', '~.')}.${last.replace('.', '~.')}`)
      expect(await between('123456789012345.67', '123456789012345.67')).toEqual([id])
      expect(await between('123456789012345.68', '')).toEqual([])
      expect(await between('9.00', '')).toEqual([id])
    })
    expect(await refused(`${type.id}.case.costs.between.10~.00.9~.00`)).toBe(
      'Costs must not begin after its end',
    )
  })

  it('compare an answer on a scale as a number, and store none that it does not have', async () => {
    const pain = { name: 'pain', label: 'Pain', type: 'scale', attrs: { report: true, max_text: 'Worst' } }
    const group = { name: 'all', label: 'All', fields: [pain] }
    const body = { label: 'Pain', service: 1, case_meta: [group], issue_meta: [] }
    const { body: type } = await admin('caseTypes.create', { body })
    const { id } = await createCase(admin, type.id)
    const { body: read } = await admin('cases.read', { params: { id } })
    const change = (value: unknown) =>
      admin('cases.update', { params: { id }, body: { version: read.version, answers: { pain: value } } })
    for (const wrong of [11, '7', 2.5])
      expect((await change(wrong)).body).toEqual({
        'answers.pain': ['Pain must be a number from 0 to 10 (Worst)'],
      })
    expect((await change(0)).status).toBe(200)
    await bothWays(async () => {
      expect(await found(`${type.id}.case.pain.between.0.3`)).toEqual([id])
      expect(await found(`${type.id}.case.pain.between.1.`)).toEqual([])
      expect(await found(`${type.id}.case.pain.set`)).toEqual([id])
    })
  })

  it('on several case types find the cases of each', () =>
    bothWays(async () => {
      await expectFound(
        '5.issue.upheld.is.not_upheld*1.issue.decision_date.between.2026-03-01.2026-03-01',
        [2, 3],
      )
      await expectFound('5.issue.upheld.is.not_upheld*1.issue.decision_date.between.2027-03-01.', [2])
    }))

  it('look for words in any order and any accent, and take wildcards literally', () =>
    bothWays(async () => {
      for (const words of ['hospital mary', 'MARYS', 'lodz, hosp', 'łódź', 'st mary’s'])
        await expectFound(`5.issue.organisation.contains.${words}`, [0])
      for (const words of ['%', '_t', 'hospital surgery', "' or true --"])
        await expectFound(`5.issue.organisation.contains.${words}`, [])
    }))

  it('go with the other filters, with pages and with a file of the same rows', async () => {
    const answers = '5.issue.organisation.set'
    await expectFound(answers, [0, 1, 2], { case_type: NHS })
    await expectFound(answers, [], { case_type: 1 })
    const all = await found(answers)
    const { body } = await search(admin, answers, {}, { page_size: 1, p: 2 })
    expect([body.data[0].id, body.pagination.count]).toEqual([all[1], all.length])
    const reply = await fetch(`${context.address}/api/search/cases/?format=xlsx`, {
      method: 'POST',
      headers: { ...admin.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ answers }),
    })
    const { Sheets } = xlsx.read(Buffer.from(await reply.arrayBuffer()))
    const rows = xlsx.utils.sheet_to_json<Record<string, unknown>>(Sheets.data)
    expect(rows.map((row) => Number(Object.values(row)[0]))).toEqual(all)
  })

  it('on issues must be met by one issue', async () => {
    const [first] = cases
    const { rows } = await sql<{
      id: number
    }>`insert into issues ("case", service, contract, case_type_version, issue_type, start_date, created_by, answers)
      select "case", service, contract, case_type_version, issue_type, start_date, created_by, '{"upheld": "not_yet_known"}'
      from issues where id = ${first.issue} returning id`.execute(context.db)
    await bothWays(async () => {
      await expectFound('5.issue.upheld.is.not_yet_known', [0])
      await expectFound('5.issue.upheld.is.not_yet_known*5.issue.organisation.contains.mary', [])
    })
    await sql`delete from issues where id = ${rows[0].id}`.execute(context.db)
    await expectFound('5.issue.upheld.is.not_yet_known', [])
  })
})

describe('what is found', () => {
  const WHO = [
    'manager',
    'partnermanager',
    'hubmanager',
    'hub',
    'advocate',
    'volunteer',
    'partner',
    'commissioner',
    'stranger',
  ]
  it('is of a case that the caller sees and, by an issue, of an issue that they see', async () => {
    const made = await createCase(admin, 1)
    const rows = ['advocate', 'partner', 'stranger', 'volunteer', null].map((who) => ({
      who,
      id: 0,
      issue: 0,
    }))
    for (const row of rows) {
      Object.assign(
        row,
        row.who === 'advocate' ? made : await createCase(row.who ? await context.as(row.who) : admin, 1),
      )
      await sql`update issues set advocate = ${row.who ? (await context.as(row.who)).id : null}, hub = ${row.who === 'partner' ? 1 : 2}
        where id = ${row.issue}`.execute(context.db)
      await setAnswers('issues', row.issue, { smt_type: 'ect' })
      await setAnswers('cases', row.id, { priority: 'priority_3_10_working_days' })
      // Somebody else's issue of the same case, with an answer of its own.
      await sql`insert into issues ("case", service, contract, case_type_version, issue_type, start_date, advocate, hub, answers)
        select "case", service, contract, case_type_version, issue_type, start_date, ${(await context.as('stranger')).id}, 2, '{"smt_type": "amputation"}'
        from issues where id = ${row.issue}`.execute(context.db)
    }
    const { rows: issues } = await sql<{
      id: number
      case: number
      type: string
    }>`select id, "case", answers ->> 'smt_type' as type
      from issues where answers ? 'smt_type'`.execute(context.db)
    await bothWays(async () => {
      const counts = new Set<string>()
      for (const who of WHO) {
        const caller = await context.as(who)
        const opens = async (call: string, id: number) =>
          (await caller(call, { params: { id } })).status === 200
        const open: number[] = []
        for (const { id } of rows) if (await opens('cases.read', id)) open.push(id)
        const byCase = await found('1.case.priority.is.priority_3_10_working_days', caller)
        expect([who, byCase.toSorted((a, b) => a - b)]).toEqual([who, open.toSorted((a, b) => a - b)])
        for (const type of ['ect', 'amputation']) {
          const visible = new Set<number>()
          for (const issue of issues.filter((one) => one.type === type))
            if (await opens('issues.read', issue.id)) visible.add(issue.case)
          const byIssue = await found(`1.issue.smt_type.is.${type}`, caller)
          expect([who, type, byIssue.toSorted((a, b) => a - b)]).toEqual([
            who,
            type,
            [...visible].toSorted((a, b) => a - b),
          ])
          counts.add(`${open.length} ${type} ${visible.size}`)
        }
      }
      expect(counts.size).toBeGreaterThan(4)
    })
  })

  it('is a case as soon as it is saved, changed or gone', async () => {
    const advocate = await context.as('advocate')
    const text = '1.case.date_received.between.2031-05-05.2031-05-05'
    expect(await found(text)).toEqual([])
    const made = await createCase(advocate, 1)
    await sql`update issues set advocate = ${advocate.id} where id = ${made.issue}`.execute(context.db)
    const received = (await advocate('cases.read', { params: { id: made.id } })).body.answers.date_received
    expect(await found(`1.case.date_received.between.${received}.${received}`, advocate)).toContain(made.id)
    const change = await advocate('cases.update', {
      params: { id: made.id },
      body: { answers: { date_received: '2025-05-05' } },
    })
    expect(change.status).toBe(200)
    expect(await found(`1.case.date_received.between.${received}.${received}`, advocate)).not.toContain(
      made.id,
    )
    expect(await found('1.case.date_received.between.2025-05-05.2025-05-05', advocate)).toEqual([made.id])
    expect(await rowsOf(made.id)).toBeGreaterThan(2)
    await sql`update issues set start_date = '2020-01-01', is_opened = false, close_reasons = '{1}', close_date = '2021-01-01'
      where id = ${made.issue}`.execute(context.db)
    await sql`update cases set touched_at = '2021-01-01', updated_at = '2021-01-01' where id = ${made.id}`.execute(
      context.db,
    )
    expect((await (await context.as('manager'))('cases.purge', { params: { id: made.id } })).status).toBe(200)
    expect(await found('1.case.date_received.between.2025-05-05.2025-05-05')).toEqual([])
    expect(await rowsOf(made.id)).toBe(0)
  })
})

describe('a question', () => {
  it.each([
    ['1.case.risk_summary.contains.x', /has no field 'risk_summary'/],
    ['1.case.referrer.contains.x', /has no field 'referrer'/],
    ['1.case.family.set', /has no field 'family'/],
    ['1.case.organisation.contains.x', /has no field 'organisation'/],
    ['1.issue.date_received.set', /has no field 'date_received'/],
    ['5.case.organisation.contains.x', /has no field 'organisation'/],
    ['1.case.nothing.set', /has no field 'nothing'/],
    ['1.case.toString.set', /field/],
    ['77.case.date_received.set', /no case type 77/],
    ['1.case.date_received.contains.x', /cannot be searched by 'contains'/],
    ['1.case.date_received.between.soon.', /date/],
    ['1.case.priority.is.someday', /Priority|choices/i],
    ['1.case.referring_from.is.999999', /one of the choices/],
    ['1.case.referring_from.is.1~.5', /./],
    ['5.issue.organisation.is.x', /cannot be searched by 'is'/],
    ['nonsense', /case type/],
    [{ case: 1 }, /must be a value/],
  ])('is refused in %j', async (answers, words) => {
    expect(await refused(answers)).toMatch(words)
  })

  it('that does not exist finds nothing', async () => {
    for (const answers of [[], '', null]) expect((await search(admin, answers)).body.data).toEqual([])
  })

  it('does not filter other lists', async () => {
    for (const call of ['search.clients', 'search.actions'])
      expect((await admin(call, { body: { answers: '1.case.eligible.set' } })).status).toBe(400)
    expect((await admin('cases.list', { query: { answers: '1.case.eligible.set' } })).status).toBe(400)
  })

  it('is searched once it is published for reports, and neither searched nor indexed once it is sensitive', async () => {
    const set = async (attrs: object) => {
      const { case_meta, version } = await formsOf(6)
      const meta = case_meta.map((group: Group) => ({
        ...group,
        fields: group.fields.map((field) =>
          field.name === 'referrer' ? { ...field, attrs: { ...field.attrs, ...attrs } } : field,
        ),
      }))
      const { status } = await admin('caseTypes.update', {
        params: { id: 6 },
        body: { version, case_meta: meta },
      })
      expect(status).toBe(200)
    }
    const indexed = async () => {
      const { rows } = await sql<{ is: boolean; n: number }>`select case_indexed ? 'referrer' as is,
        (select count(*) from answer_values where field = 'referrer') as n from case_types where id = 6`.execute(
        context.db,
      )
      return rows[0]
    }
    const made = await createCase(admin, 6)
    await setAnswers('cases', made.id, { referrer: { name: 'Bartholomew Quince', phone: '(01234) 567 890' } })
    const text = '6.case.referrer.contains.quince'
    expect(await refused(text)).toMatch(/has no field 'referrer'/)
    await set({ report: true })
    expect(await found(text)).toEqual([made.id])
    await expect.poll(indexed).toEqual({ is: true, n: 1 })
    expect(await found(text)).toEqual([made.id])
    expect(await found('6.case.referrer.contains.01234567890')).toEqual([made.id])
    await set({ sensitive: true })
    expect(await refused(text)).toMatch(/has no field 'referrer'/)
    await expect.poll(indexed).toEqual({ is: false, n: 0 })
  })

  it('is still taken by searches and saved views once it is switched off, and finds what counts', async () => {
    const publish = async (attrs: object) => {
      const { case_meta, version } = await formsOf(4)
      const meta = case_meta.map((group: Group) => ({
        ...group,
        fields: group.fields.map((field) =>
          field.name === 'date_received' ? { ...field, attrs: { ...field.attrs, ...attrs } } : field,
        ),
      }))
      const body = { version, case_meta: meta, publish_anyway: 'Form tests name it' }
      expect((await admin('caseTypes.update', { params: { id: 4 }, body })).status).toBe(200)
    }
    const made = await createCase(admin, 4)
    await setAnswers('cases', made.id, { date_received: '1998-02-03' })
    const text = '4.case.date_received.between.1998-01-01.1998-12-31'
    const view = { screen: 'search-cases', name: 'Of 1998', query: { answers: text } }
    const saved = await admin('savedViews.create', { body: view })
    expect(saved.status).toBe(201)
    await publish({ is_on: false })
    // A job keeps the answers apart, as nothing that is switched off counts.
    await expect.poll(() => found(text), { timeout: 20_000 }).toEqual([])
    await bothWays(async () => expect(await found(text)).toEqual([]))
    const renamed = { params: { id: saved.body.id }, body: { name: 'Of that year', query: view.query } }
    expect((await admin('savedViews.update', renamed)).body).toMatchObject({ name: 'Of that year' })
    await publish({ is_on: true })
  })

  it('that is withdrawn while it is being indexed is not indexed again by what was under way', async () => {
    const publish = async (attrs: object) => {
      const { case_meta, version } = await formsOf(4)
      const meta = case_meta.map((group: Group) => ({
        ...group,
        fields: group.fields.map((field) =>
          field.name === 'date_received' ? { ...field, attrs: { ...field.attrs, ...attrs } } : field,
        ),
      }))
      const body = { version, case_meta: meta }
      expect((await admin('caseTypes.update', { params: { id: 4 }, body })).status).toBe(200)
    }
    const made = await createCase(admin, 4)
    await setAnswers('cases', made.id, { date_received: '2026-02-03' })
    const state = async () => {
      const { rows } = await sql<{
        is_complete: boolean
        n: number
      }>`select case_indexed = case_searched as is_complete,
        (select count(*)::int from answer_values where "case" = ${made.id} and field = 'date_received') as n
        from case_types where id = 4`.execute(context.db)
      return rows[0]
    }
    expect(await state()).toEqual({ is_complete: true, n: 1 })
    await sql`update case_types set case_indexed = '{}' where id = 4`.execute(context.db)
    const { signal: ending } = new AbortController()
    let isFirst = true
    const late = context.db.withPlugin({
      transformQuery: ({ node }) => node,
      // The form is published, and indexed anew, between the read of the forms and the first batch.
      transformResult: async ({ result }) => {
        if (isFirst && result.rows.some((row) => 'fields' in row)) {
          isFirst = false
          await publish({ report: false })
          await indexAnswers({ db: context.db, ending })
        }
        return result
      },
    })
    await indexAnswers({ db: late, ending })
    expect(isFirst).toBe(false)
    // The server of the publication may still be at it.
    await expect.poll(state).toEqual({ is_complete: true, n: 0 })
    const work = async () => {
      await indexAnswers({ db: context.db, ending })
      return (await sql`select from answer_index_work`.execute(context.db)).rows
    }
    await expect.poll(work).toEqual([])
    await publish({ report: true })
    await expect.poll(state).toEqual({ is_complete: true, n: 1 })
  })

  it('that was asked is in the audit as it was asked', async () => {
    await found('5.issue.organisation.contains.Remembered')
    const { rows } = await sql<{ changes: object }>`select changes from audit where action = 'search'
      and staff = ${admin.id} order by id desc limit 1`.execute(context.db)
    expect(rows[0].changes).toEqual({
      answers: { from: null, to: '5.issue.organisation.contains.Remembered' },
    })
  })
})
