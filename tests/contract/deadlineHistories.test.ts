import { describe, expect, it } from 'vitest'
import { addDays } from '../../src/contract/days.ts'
import { type DeadlineState, deadlineState } from '../../src/contract/deadlines/deadlineState.ts'
import {
  type DeadlineFacts,
  type EndedPeriod,
  type Entry,
  evaluateDeadline,
} from '../../src/contract/deadlines/evaluateDeadline.ts'
import type { Pause } from '../../src/contract/deadlines/pauses.ts'
import type { Deadline } from '../../src/contract/generated.ts'
import { type Holidays, isWorkingDay } from '../../src/contract/workingDays.ts'
import { type Random, seeded } from '../../src/server/ops/demo/random.ts'
import { FULL } from '../full.ts'

/** Summer time ends in it, there are bank holidays, and it has a leap day. */
const FIRST_DAY = '2027-10-20'
const HOLIDAYS: Holidays = new Set(['2027-12-27', '2027-12-28', '2028-01-03', '2028-04-14'])
const DAYS = 170

interface Story {
  unit: 'days' | 'working_days'
  count: number
  warnDays: number
  isRepeated: boolean
  from: string
  until?: string
  closedOn?: string
  entries: Entry[]
  pauses: Required<Pause>[]
}

function storyOf(random: Random): Story {
  const day = (from: number, to: number) => addDays(FIRST_DAY, random.between(from, to))
  const entries = Array.from({ length: random.between(0, 8) }, (_, i) => ({
    id: i + 1,
    day: day(0, DAYS),
    action_type: random.pick([6, 6, 6, 1]),
  }))
  const ends = Array.from({ length: random.between(0, 3) * 2 }, () => day(0, DAYS)).sort()
  const pauses = ends.flatMap((from, i) =>
    i % 2 === 0 && ends[i + 1] > from && ends[i - 1] !== from ? [{ from, to: ends[i + 1] }] : [],
  )
  return {
    unit: random.pick(['days', 'working_days']),
    count: random.between(1, 45),
    warnDays: random.between(0, 7),
    isRepeated: random.chance(0.6),
    from: day(0, 40),
    ...(random.chance(0.4) && { until: day(20, DAYS) }),
    ...(random.chance(0.4) && { closedOn: day(20, DAYS) }),
    entries: entries.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : a.id - b.id)),
    pauses,
  }
}

function deadlineOf({ unit, count, isRepeated, warnDays }: Story): Deadline {
  const span = { [unit]: count }
  return {
    name: 'visit',
    label: 'Visit',
    of: 'issue',
    from: 'record.start_date',
    until: 'ends',
    ...(isRepeated ? { every: span } : { within: span }),
    warn: { days: warnDays },
    met_by: { actions: [6, 7] },
  }
}

/** What is known on a day, as stored before that day's evaluation. */
function factsOn(story: Story, today: string, ended: EndedPeriod[]): DeadlineFacts {
  const pauses = story.pauses
    .filter(({ from }) => from <= today)
    .map(({ from, to }): Pause => (to <= today ? { from, to } : { from }))
  const isClosed = story.closedOn !== undefined && story.closedOn <= today
  return {
    context: { answers: { ends: story.until }, record: { start_date: story.from } },
    entries: story.entries.filter(({ day }) => day <= today),
    pauses,
    closedOn: isClosed ? story.closedOn : undefined,
    holidays: HOLIDAYS,
    version: 1,
    ended,
  }
}

interface Day {
  state: DeadlineState
  /** 'metOn in time' for each period that was met. */
  met: string[]
}

/** A day-by-day simulation, which knows nothing of dates but the next day. */
function simulate(story: Story): Map<string, Day> {
  const { unit, count, until, closedOn, from, warnDays, isRepeated } = story
  const days = new Map<string, Day>()
  const counts = (day: string) => unit === 'days' || isWorkingDay(day, HOLIDAYS)
  const isStill = (day: string) => story.pauses.some((pause) => pause.from < day && day <= pause.to)
  const met: string[] = []
  let start = from
  let countsFrom = from
  let isDone = false
  for (let day = FIRST_DAY; day <= addDays(FIRST_DAY, DAYS); day = addDays(day, 1)) {
    const isOpen = (closedOn === undefined || day <= closedOn) && (until === undefined || day <= until)
    for (const entry of story.entries.filter((one) => one.day === day)) {
      if (isDone || !isOpen || entry.action_type !== 6 || day < countsFrom) continue
      met.push(`${day} ${day <= dueAsOf(day)}`)
      isDone = !isRepeated
      start = day
      countsFrom = addDays(day, 1)
    }
    days.set(day, { met: [...met], state: stateOn(day) })
  }
  return days

  /** The day on which as many days have been counted since the start as it takes, and as stood still up to a day. */
  function dueAsOf(day: string): string {
    let left = count
    for (let one = addDays(start, 1); one <= day; one = addDays(one, 1))
      if (counts(one) && isStill(one)) left++
    let due = start
    while (left > 0) {
      due = addDays(due, 1)
      if (counts(due)) left--
    }
    return due
  }

  function stateOn(day: string): DeadlineState {
    if (isDone) return 'met'
    const pause = story.pauses.find((one) => one.from <= day && day < one.to)
    // A pause counts from its first day, but not before the deadline itself is counted.
    const paused = pause && (pause.from > start ? pause.from : start)
    const now = paused !== undefined && paused < day ? paused : day
    const due = dueAsOf(now)
    const isClosed = closedOn !== undefined && closedOn <= day
    if (isClosed && due >= closedOn) return 'none'
    if (until !== undefined && due > until) return 'none'
    if (isClosed || (until !== undefined && day > until)) return now > due ? 'missed' : 'none'
    if (now > due) return 'late'
    return addDays(now, warnDays) >= due ? 'soon' : 'due'
  }
}

describe('random histories of a deadline', () => {
  it('have the states and met periods of a day-by-day simulation', () => {
    const seen = new Set<string>()
    for (let seed = 1; seed <= (FULL ? 3000 : 80); seed++) {
      const story = storyOf(seeded(seed))
      const deadline = deadlineOf(story)
      let ended: EndedPeriod[] = []
      for (const [day, expected] of simulate(story)) {
        const history = evaluateDeadline(deadline, factsOn(story, day, ended))
        // What was met stays as it was computed on the day of the entry.
        ended = history.ended
        const met = ended.map(({ metOn, due }) => `${metOn} ${metOn! <= due}`)
        const isDone = !story.isRepeated && ended.length > 0
        const state = deadlineState(isDone ? ended.at(-1) : history.current, day)
        seen.add(state)
        expect({ seed, day, state, met }).toEqual({ seed, day, ...expected })
      }
    }
    expect([...seen].sort()).toEqual(['due', 'late', 'met', 'missed', 'none', 'soon'])
  })

  it('are the same if they are evaluated anew from all that is known at the end', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const story = storyOf(seeded(seed))
      const deadline = deadlineOf(story)
      const last = addDays(FIRST_DAY, DAYS)
      let ended: EndedPeriod[] = []
      for (let day = FIRST_DAY; day <= last; day = addDays(day, 1))
        ended = evaluateDeadline(deadline, factsOn(story, day, ended)).ended
      const anew = evaluateDeadline(deadline, factsOn(story, last, []))
      const stepwise = evaluateDeadline(deadline, factsOn(story, last, ended))
      expect({ seed, ...anew, ended: anew.ended.map(({ metOn, due }) => [metOn, due]) }).toEqual({
        seed,
        ...stepwise,
        ended: stepwise.ended.map(({ metOn, due }) => [metOn, due]),
      })
    }
  })
})
