import { HELD_WORDS, OUTCOMES, type Verb, verbOf } from '../../contract/automations/outcomes.ts'
import type { Automation, Outcome } from '../../contract/generated.ts'
import { pluralise } from '../../contract/pluralise.ts'
import { quoted } from '../../contract/quoted.ts'
import type { Impact, Impacts } from './useImpact.ts'

/**
 * What a publication of automations does to records, in sentences; automations for which nothing changes have none.
 * `firing` are the names of those that notify people and plan steps.
 */
export function impactSentences(
  before: Automation[],
  after: Automation[],
  { automations: impacts }: Impacts,
  firing: string[],
): string[] {
  return impacts.flatMap((impact) => {
    const automation = after.find(({ name }) => name === impact.name)
    const was = before.find(({ name }) => name === impact.name)
    const { of, label } = automation ?? was ?? { of: 'issue', label: impact.name }
    return [
      ...(automation && impact.begins > 0
        ? [beginsWords(automation, impact.begins, firing.includes(impact.name))]
        : []),
      ...(impact.ends > 0 ? [`${quoted(label)} ends for ${pluralise(impact.ends, of)}`] : []),
    ]
  })
}

/** "'Open concern' begins to hold for 12 issues: show the alert, hold closing; notify nobody and plan no step". */
function beginsWords({ of, label, then }: Automation, begins: number, firesEvents: boolean): string {
  const states = then.filter(isLasting).map(stateWords)
  const what = [states.join(', '), eventWords(then, firesEvents)].filter(Boolean).join('; ')
  return `${quoted(label)} begins to hold for ${pluralise(begins, of)}: ${what}`
}

function isLasting(outcome: Outcome): boolean {
  return OUTCOMES[verbOf(outcome)].isLasting
}

function stateWords(outcome: Outcome): string {
  return 'hold' in outcome ? `hold ${HELD_WORDS[outcome.hold]}` : 'show the alert'
}

function eventWords(then: Outcome[], firesEvents: boolean): string {
  return [
    hasVerb(then, 'notify') && (firesEvents ? 'notify people' : 'notify nobody'),
    hasVerb(then, 'step') && (firesEvents ? 'plan the step' : 'plan no step'),
  ]
    .filter(Boolean)
    .join(' and ')
}

export function hasVerb(then: Outcome[], verb: Verb): boolean {
  return then.some((one) => verbOf(one) === verb)
}

/** The automations that begin to hold for records and have notices or steps, which a publication may let happen. */
export function withEvents(automations: Automation[], { automations: impacts }: Impacts): Automation[] {
  return automations.filter(
    ({ name, then }) =>
      !then.every(isLasting) && impacts.some((impact) => impact.name === name && impact.begins > 0),
  )
}

/**
 * The records of one automation if it were published now: "it holds for 12 issues, 3 of them closed; it begins for 2.
 * Unless you choose so, nobody is notified."
 */
export function impactOfOne({ of, then }: Automation, { holds, closed, begins }: Impact): string {
  if (holds === 0) return `it holds for no ${of}.`
  const words = [
    `it holds for ${pluralise(holds, of)}`,
    closed > 0 && `, ${closed.toLocaleString('en-GB')} of them closed`,
    begins > 0 && `; it begins for ${begins.toLocaleString('en-GB')}`,
  ]
  return `${words.filter(Boolean).join('')}.${begins > 0 ? quietWords(then) : ''}`
}

function quietWords(then: Outcome[]): string {
  const words = [
    hasVerb(then, 'notify') && 'nobody is notified',
    hasVerb(then, 'step') && 'no step is planned',
  ].filter(Boolean)
  return words.length > 0 ? ` Unless you choose so, ${words.join(' and ')}.` : ''
}

/** Says that not all cases were counted; '' if they were. */
export function limitWords({ cases, counted }: Impacts): string {
  if (counted >= cases) return ''
  return `Counted in the newest ${counted.toLocaleString('en-GB')} of ${pluralise(cases, 'case')}.`
}
