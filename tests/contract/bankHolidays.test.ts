import fs from 'node:fs'
import { expect, it } from 'vitest'
import { addDays } from '../../src/contract/days.ts'

interface BankHoliday {
  value: number
  label: string
  day: string
  calendars: number[]
}

const [ENGLAND_AND_WALES, SCOTLAND, NORTHERN_IRELAND] = [1, 2, 3]
const ALL = [ENGLAND_AND_WALES, SCOTLAND, NORTHERN_IRELAND]
const YEARS = [2024, 2025, 2026, 2027, 2028, 2029, 2030]

const shipped: BankHoliday[] = JSON.parse(
  fs.readFileSync('src/server/ops/demo/lookups.json', 'utf8'),
).bank_holiday

/** Easter Sunday by Gauss's algorithm for the Gregorian calendar, with the lunar corrections of 1900 to 2099. */
function easterOf(year: number): string {
  const d = (19 * (year % 19) + 24) % 30
  const e = (2 * (year % 4) + 4 * (year % 7) + 6 * d + 5) % 7
  const days = d === 29 && e === 6 ? 28 : d === 28 && e === 6 && year % 19 > 10 ? 27 : d + e
  return addDays(`${year}-03-22`, days)
}

function weekday(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay()
}

function mondayFrom(day: string): string {
  return addDays(day, (8 - weekday(day)) % 7)
}

function mondayUpTo(day: string): string {
  return addDays(day, -((weekday(day) + 6) % 7))
}

/** The next days from Monday to Friday for feasts that follow each other: one at a weekend is moved behind them. */
function weekdaysFor(days: string[]): string[] {
  const isWeekend = (day: string) => weekday(day) % 6 === 0
  const found = days.filter((day) => !isWeekend(day))
  for (const day of days.filter(isWeekend)) {
    let moved = day
    while (isWeekend(moved) || found.includes(moved)) moved = addDays(moved, 1)
    found.push(moved)
  }
  return found.sort()
}

/** The bank holidays of a year by the Banking and Financial Dealings Act 1971 and the proclamations each year. */
function holidaysOf(calendar: number, year: number): string[] {
  const easter = easterOf(year)
  const isScottish = calendar === SCOTLAND
  return [
    ...weekdaysFor(isScottish ? [`${year}-01-01`, `${year}-01-02`] : [`${year}-01-01`]),
    ...(calendar === NORTHERN_IRELAND
      ? weekdaysFor([`${year}-03-17`]).concat(weekdaysFor([`${year}-07-12`]))
      : []),
    addDays(easter, -2),
    ...(isScottish ? [] : [addDays(easter, 1)]),
    mondayFrom(`${year}-05-01`),
    mondayUpTo(`${year}-05-31`),
    isScottish ? mondayFrom(`${year}-08-01`) : mondayUpTo(`${year}-08-31`),
    // A day off for the first match of Scotland at a World Cup since 1998.
    ...(isScottish && year === 2026 ? ['2026-06-15'] : []),
    ...(isScottish ? weekdaysFor([`${year}-11-30`]) : []),
    ...weekdaysFor([`${year}-12-25`, `${year}-12-26`]),
  ].sort()
}

it('computes Easter as it was and will be', () => {
  expect(YEARS.map(easterOf)).toEqual([
    '2024-03-31',
    '2025-04-20',
    '2026-04-05',
    '2027-03-28',
    '2028-04-16',
    '2029-04-01',
    '2030-04-21',
  ])
})

it('ships the bank holidays of all parts of the United Kingdom from 2024 to 2030', () => {
  for (const calendar of ALL) {
    const days = shipped.filter(({ calendars }) => calendars.includes(calendar)).map(({ day }) => day)
    expect(days).toEqual(YEARS.flatMap((year) => holidaysOf(calendar, year)))
  }
})

it('ships the days that were published', () => {
  const in2026 = (calendar: number) =>
    shipped
      .filter(({ day, calendars }) => day.startsWith('2026') && calendars.includes(calendar))
      .map(({ day }) => day.slice(5))
  expect(in2026(ENGLAND_AND_WALES).join(' ')).toBe('01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28')
  expect(in2026(SCOTLAND).join(' ')).toBe('01-01 01-02 04-03 05-04 05-25 06-15 08-03 11-30 12-25 12-28')
  expect(in2026(NORTHERN_IRELAND).join(' ')).toBe(
    '01-01 03-17 04-03 04-06 05-04 05-25 07-13 08-31 12-25 12-28',
  )
})

it('gives a database that has its lists the same days', () => {
  const migration = fs.readFileSync('src/server/ops/migrations/050_bank_holidays.sql', 'utf8')
  const rows = [
    ...migration.matchAll(/^ {2}\((\d+), '(\d{4}-\d\d-\d\d)', '((?:[^']|'')+)', '\{([\d,]+)\}'\)/gm),
  ]
  expect(
    rows.map(([, value, day, label, calendars]) => ({
      value: Number(value),
      label: label.replaceAll("''", "'"),
      day,
      calendars: calendars.split(',').map(Number),
    })),
  ).toEqual(shipped)
})
