import fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { deadlineState } from '../../src/contract/deadlines/deadlineState.ts'
import { type Entry, evaluateDeadline } from '../../src/contract/deadlines/evaluateDeadline.ts'
import type { Deadline } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { contract } from '../loadedContract.ts'

const types: { code: string; deadlines: Deadline[] }[] = JSON.parse(
  fs.readFileSync('src/server/ops/demo/case-types.json', 'utf8'),
)
const { bank_holiday }: { bank_holiday: { day: string; calendars: number[] }[] } = JSON.parse(
  fs.readFileSync('src/server/ops/demo/lookups.json', 'utf8'),
)
const holidays = new Set(bank_holiday.filter(({ calendars }) => calendars.includes(1)).map(({ day }) => day))

const RPR = 'rpr'
const [CALL, EMAIL, VISIT] = [1, 3, 6]
const on = (day: string, action_type: number, id = 1): Entry => ({ id, day, action_type })

interface Given {
  started: string
  answers?: Values
  caseRecord?: Values
  entries?: Entry[]
}

function evaluate(
  code: string,
  name: string,
  { started, answers = {}, caseRecord = {}, entries = [] }: Given,
) {
  const deadline = types.find((type) => type.code === code)?.deadlines.find((one) => one.name === name)
  if (!deadline) throw new Error(`${code} has no deadline ${name}`)
  return evaluateDeadline(deadline, {
    context: {
      answers: deadline.of === 'case' ? caseRecord : answers,
      record: { start_date: started },
      with: { case: caseRecord },
    },
    entries,
    pauses: [],
    holidays,
    version: 1,
    ended: [],
  })
}

describe('first contact', () => {
  it.each(types.map(({ code }) => code))('of %s is due two working days after the start', (code) => {
    const { current } = evaluate(code, 'first_contact', { started: '2026-12-23' })
    expect(current).toMatchObject({ warnFrom: '2026-12-24', due: '2026-12-29' })
    expect(deadlineState(current, '2026-12-30')).toBe('late')
  })

  it('is met by a call on the second day, and not by an email', () => {
    const met = (type: number) =>
      evaluate(RPR, 'first_contact', { started: '2026-11-23', entries: [on('2026-11-25', type)] }).ended
    expect(met(CALL)).toMatchObject([{ due: '2026-11-25', metOn: '2026-11-25' }])
    expect(met(EMAIL)).toEqual([])
  })
})

describe('visits of a representative', () => {
  const caseRecord = { visit_every_weeks: 6, authorised_to: '2026-12-14' }

  it('are due as often as the case says, from the last visit, until the authorisation ends', () => {
    const visited = (...days: string[]) =>
      evaluate(RPR, 'visit', {
        started: '2026-08-03',
        caseRecord,
        entries: days.map((day, i) => on(day, VISIT, i + 1)),
      })
    expect(visited().current).toMatchObject({ due: '2026-09-14' })
    expect(visited('2026-09-10', '2026-10-06').current).toMatchObject({
      due: '2026-11-17',
      warnFrom: '2026-11-10',
    })
    expect(visited('2026-09-10', '2026-10-06', '2026-11-16').current).toBeUndefined()
  })

  it('end with an authorisation that is soon to end from 28 days before', () => {
    const { current } = evaluate(RPR, 'authorisation', { started: '2026-08-03', caseRecord })
    expect(deadlineState(current, '2026-11-15')).toBe('due')
    expect(deadlineState(current, '2026-11-16')).toBe('soon')
  })
})

describe.each(['imca_smt', 'imca_accommodation', 'care_act'])('the report of %s', (code) => {
  const given = { started: '2026-10-01', caseRecord: { consent_date: '2026-10-05' } }

  it('is due 28 days after consent if one is needed, and met on the day in its field', () => {
    expect(evaluate(code, 'report', given).current).toBeUndefined()
    const needed = { ...given, answers: { report_needed: 'yes' } }
    expect(evaluate(code, 'report', needed).current).toMatchObject({ due: '2026-11-02' })
    const sent = { ...given, answers: { report_needed: 'yes', report_sent: '2026-10-30' } }
    expect(evaluate(code, 'report', sent)).toMatchObject({
      ended: [{ metOn: '2026-10-30' }],
      current: undefined,
    })
  })
})

it.each(['deadline', 'deadlineSummary', 'worklistRow'])(
  'of %s what is shown is read again after an action, which may meet one',
  (entity) => {
    expect(contract.entities[entity].of).toEqual(
      expect.arrayContaining(['deadline', 'action', 'issue', 'case']),
    )
  },
)
