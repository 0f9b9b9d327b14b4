import type { Field } from '../../../contract/generated.ts'
import { dateOf, dayOf, timeOf } from './days.ts'
import type { AnswerContext } from './fieldAnswer.ts'

type Days = [from: number, to: number]

// Days after the start of the case or issue, by field.
const DAYS_AFTER_START: Record<string, Days> = {
  date_received: [0, 0],
  consent_date: [0, 6],
  risk_checked_on: [0, 10],
  first_contact_due: [2, 14],
  first_contact_made: [1, 12],
  decision_deadline: [10, 60],
  next_step_date: [7, 45],
  capacity_date: [-40, 0],
  difficulty_date: [-30, 5],
  incident_date: [-330, -20],
  complaint_date: [1, 10],
  acknowledged_date: [11, 14],
  response_due: [40, 60],
  response_date: [35, 75],
  section_date: [-25, -1],
  section_expires: [28, 180],
  rights_given: [0, 5],
  appointed_on: [0, 2],
  appointment_ends: [180, 365],
  authorised_from: [-20, 0],
  authorised_to: [90, 365],
  discharge_date: [5, 40],
  report_sent: [10, 35],
}
const DEFAULT_DAYS: Days = [10, 90]
const RENEWAL = 180
const JUST_ENDED = 8

/** A date that is valid by the field's rules and fits the story; undefined if no day is valid. */
export function dateAnswer({ name, attrs }: Field, answerContext: AnswerContext): string | undefined {
  const { began, until, context } = answerContext
  const rules = attrs?.rules ?? []
  const past = rules.includes('not_future')
  const [from, to] = DAYS_AFTER_START[name] ?? (past ? [0, until - began] : DEFAULT_DAYS)
  const guess = began + context.random.between(from, to)
  const earliest = rules
    .filter((rule) => rule.startsWith('after:'))
    .map((rule) => answerContext.answers[rule.slice('after:'.length)])
    .filter((other) => typeof other === 'string')
    .map((other) => dayOf(other.slice(0, 10)))
  const day = renewed(name, Math.max(past ? Math.min(guess, until) : guess, ...earliest), answerContext)
  return past && day > context.today ? undefined : dateOf(day)
}

/** The day until which something of an open case is authorised: renewed since, but for a few that just ended. */
function renewed(name: string, day: number, { closed, context: { today } }: AnswerContext): number {
  if (closed || name !== 'authorised_to' || day >= today - JUST_ENDED) return day
  return day + Math.ceil((today - JUST_ENDED - day) / RENEWAL) * RENEWAL
}

/** A date and time within office hours. */
export function timeAnswer(_: Field, { began, context: { random } }: AnswerContext): string {
  return timeOf(began + random.between(5, 60), random.between(18, 32) * 30)
}
