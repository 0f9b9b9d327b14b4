import { NOTICE_ENTITIES, NOTICE_RECEIVERS, ownNotice } from '../../contract/automations/noticeEntities.ts'
import { bracketProblem, valuesOfText } from '../../contract/automations/noticeText.ts'
import { GROUP_PREFIX } from '../../contract/automations/outcomes.ts'
import type { Entity, EntityAutomation } from '../../contract/generated.ts'
import { suggest } from '../../contract/suggest.ts'
import type { Path, Report } from '../files/report.ts'
import { checkField, type Shape } from './fields.ts'
import { checkWhen } from './paths.ts'

const WORDS: readonly string[] = NOTICE_RECEIVERS

/** Reports automations of an entity that can notify nobody, or of nothing. */
export function checkEntityAutomations({ $id, automations, properties }: Entity, report: Report): void {
  const own = { name: $id, fields: properties }
  const all: EntityAutomation[] = automations ?? []
  for (const [i, automation] of all.entries()) {
    const at = ['automations', i]
    if (all.findIndex(({ name }) => name === automation.name) < i)
      report([...at, 'name'], `'${automation.name}' is the name of another automation`)
    checkAutomation(own, automation, at, report)
  }
}

function checkAutomation(own: Shape, automation: EntityAutomation, at: Path, report: Report): void {
  const { when, changed, waits, lasts, then } = automation
  checkWhen(when, { record: own }, [...at, 'when'], report)
  if (changed) checkField(own, changed, [...at, 'changed'], report)
  if (waits) {
    const since = own.fields?.[waits.since]
    checkField(own, waits.since, [...at, 'waits', 'since'], report)
    if (since && !since.format) report([...at, 'waits', 'since'], `'${waits.since}' is not a day or time`)
    if (changed) report([...at, 'changed'], "what waits does not begin with a change: leave 'changed' out")
  }
  for (const [n, { notify, text }] of then.entries()) {
    const path = [...at, 'then', n]
    const isOwn = ownNotice(own.name, notify) !== undefined
    for (const [r, receiver] of notify.entries()) checkReceiver(own, receiver, [...path, 'notify', r], report)
    checkText(own, text, isOwn, [...path, 'text'], report)
    if (!isOwn && !own.fields?.case)
      report(
        [...path, 'notify'],
        `such a notice leads to the case of its record, and '${own.name}' has no 'case'`,
      )
    for (const [key, value] of Object.entries({ waits, lasts }))
      if (value && !isOwn)
        report(
          [...at, key],
          `only notices that lead to the record itself can have '${key}': to ${ownReceivers(own.name)}`,
        )
  }
}

function ownReceivers(entity: string): string {
  const { receivers } = NOTICE_ENTITIES[entity] ?? {}
  return receivers ? receivers.join(', ') : `those of ${Object.keys(NOTICE_ENTITIES).join(', ')}`
}

/** A receiver is a group, a word, or a field with the id of a person, which is a whole number. */
function checkReceiver(own: Shape, receiver: string, at: Path, report: Report): void {
  if (receiver.startsWith(GROUP_PREFIX) || WORDS.includes(receiver)) return
  const fields = own.fields ?? {}
  const names = [...WORDS, ...Object.keys(fields)]
  if (!fields[receiver]) report(at, `no receiver '${receiver}'${suggest(receiver, names)}`)
  else if (![fields[receiver].type].flat().includes('integer'))
    report(at, `'${receiver}' is not a person: a receiver is a field with the id of one`)
}

function checkText(own: Shape, text: string, isOwn: boolean, at: Path, report: Report): void {
  const problem = bracketProblem(text)
  if (problem) report(at, problem)
  const names = isOwn ? ['by', ...NOTICE_ENTITIES[own.name].values] : Object.keys(own.fields ?? {})
  for (const value of valuesOfText(text))
    if (!names.includes(value)) report(at, `there is no value for '{${value}}'${suggest(value, names)}`)
}
