import { isRequired } from '../../../contract/schema.ts'
import { todayDependentNames } from '../../../contract/todayDependent.ts'
import { evaluate } from '../../../contract/visible.ts'
import { type ConditionContext, holds, isSet, type Values } from '../../../contract/when.ts'
import type { DemoContext } from './context.ts'
import { type AnswerContext, choices, fieldAnswer } from './fieldAnswer.ts'
import type { Plan, Question } from './plan.ts'

/** The case or issue of answers; days are numbers as in days.ts. */
export interface About {
  began: number
  /** The last possible day of an event. */
  until: number
  closed: boolean
  case: Values & { service: number }
  client: Values
}
interface Answered {
  answers: Values
  /** Names of the missing required fields. */
  invalid_fields: string[]
}

const INCOMPLETE = 0.05
// Probabilities that an optional field is answered; fields that lists and filters need always are.
const OFTEN: Record<string, number> = { textarea: 0.45, contact: 0.6, repeat: 0.4, datetime: 0.3 }
const ALWAYS = new Set(['is_urgent', 'decision_made', 'sfg_concern', 'concern_raised'])
const SELDOM = new Set(['phso_date', 'response_date', 'nearest_relative', 'review_requested'])

/** Answers that are valid by a meta, without hidden fields; sometimes one or two required answers are missing. */
export function answersFor(plan: Plan, about: About, context: DemoContext): Answered {
  const answers: Values = {}
  const answerContext = {
    ...about,
    answers,
    record: about.case,
    with: { case: about.case, client: about.client },
    context,
  }
  // A condition may refer to a later field, so try the hidden fields again.
  let hidden = plan.questions
  for (let round = 0; round < 2; round++) {
    hidden = hidden.filter((question) => {
      if (!isVisible(question, answerContext)) return true
      const value = isAnswered(question, answerContext)
        ? fieldAnswer(question.field, answerContext)
        : undefined
      if (isSet(value)) answers[question.field.name] = value
      return false
    })
  }
  if (about.closed) concludeConcern(plan, answerContext)
  if (context.random.chance(INCOMPLETE)) removeSome(plan, answerContext)
  const missing = plan.questions.filter(({ field }) => !isSet(answers[field.name]))
  const needed = missing.filter(
    (question) => isRequired(question.field, answerContext) && isVisible(question, answerContext),
  )
  return {
    answers: { ...answers, ...calculatedIn(plan, answerContext) },
    invalid_fields: needed.map(({ field }) => field.name),
  }
}

function calculatedIn({ groups }: Plan, conditionContext: ConditionContext): Values {
  const { groups: visibleGroups, answers } = evaluate(groups, conditionContext)
  const ofToday = todayDependentNames(groups)
  const fields = visibleGroups
    .flatMap((g) => g.fields)
    .filter(({ name, attrs }) => attrs?.calc && !ofToday.has(name))
  return Object.fromEntries(
    fields.filter(({ name }) => isSet(answers[name])).map(({ name }) => [name, answers[name]]),
  )
}

function isVisible({ when }: Question, conditionContext: ConditionContext): boolean {
  return when.every((one) => holds(one, conditionContext))
}

function isAnswered({ field }: Question, answerContext: AnswerContext): boolean {
  if (isRequired(field, answerContext) || ALWAYS.has(field.name)) return true
  return answerContext.context.random.chance(SELDOM.has(field.name) ? 0.12 : (OFTEN[field.type] ?? 0.75))
}

/** One of so many closed records has a concern without an outcome, whose hold somebody has passed. */
const PASSED_EVERY = 20

/** Gives the concern of a closed record its outcome, by its day so that all other answers stay as they are. */
function concludeConcern({ questions }: Plan, answerContext: AnswerContext): void {
  const { answers, began } = answerContext
  const outcome = questions.find(({ field }) => field.name === 'sfg_ooc')
  if (!outcome || isSet(answers.sfg_ooc) || !isVisible(outcome, answerContext)) return
  const values = choices(outcome.field, answerContext)
  if (began % PASSED_EVERY > 0) answers.sfg_ooc = values[began % values.length]
}

/** Removes required answers that no condition refers to, so that no visibility changes. */
function removeSome({ questions, watched }: Plan, answerContext: AnswerContext): void {
  const names = questions
    .filter(({ field }) => isRequired(field, answerContext) && !watched.has(field.name))
    .map(({ field }) => field.name)
    .filter((name) => name in answerContext.answers)
  for (const name of answerContext.context.random.some(names, 2)) delete answerContext.answers[name]
}
