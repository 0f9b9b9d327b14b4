import type { Contract } from '../../../contract/contract.ts'
import { describeAnswer, type ItemLabel } from '../../../contract/describeAnswer.ts'
import { editableFields } from '../../../contract/entity.ts'
import { FIELD_TYPES, holdsFile, isEditable } from '../../../contract/fieldTypes.ts'
import type { Field, Group } from '../../../contract/generated.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import { visible } from '../../../contract/visible.ts'
import { type ConditionContext, isPlainObject, isSet, type Values } from '../../../contract/when.ts'

/** Fields that every referral has: they identify the person, and say if the person has died. */
export const IDENTITY_FIELDS = ['first_name', 'last_name', 'dob', 'dod']

/** What was chosen: names of the client's fields, and of the case's answers by group, and ids of documents. */
export interface Chosen {
  person: string[]
  answers: Record<string, string[]>
  documents: string[]
}

/** A form to choose which details of a client are sent with a referral, each with its value. */
export function offeredPerson(contract: Contract, client: Values, itemLabel: ItemLabel): Group[] {
  const fields = answeredPerson(contract, client)
  if (fields.length === 0) return []
  const whole = [{ name: 'person', label: 'Details', fields }]
  return [choiceOf('About the person', whole, client, itemLabel)]
}

/** A form to choose which answers of a case are sent with a referral, with one list of choices per group. */
export function offeredAnswers(visibleGroups: Group[], answers: Values, itemLabel: ItemLabel): Group[] {
  const answered = answeredGroups(visibleGroups, answers)
  return answered.length > 0 ? [choiceOf('Answers of the case', answered, answers, itemLabel)] : []
}

/** The client's details that may be sent, besides those that always are. */
export function answeredPerson(contract: Contract, client: Values): Field[] {
  return personFields(contract).filter(
    ({ name }) => !IDENTITY_FIELDS.includes(name) && isAnswered(client[name]),
  )
}

/** The groups of a case with the answers that may be sent. */
export function answeredGroups(visibleGroups: Group[], answers: Values): Group[] {
  return visibleGroups
    .map((group) => ({ ...group, fields: group.fields.filter((field) => isSendable(field, answers)) }))
    .filter(({ fields }) => fields.length > 0)
}

/** The client's details that are sent. */
export function personOf(contract: Contract, client: Values, chosen: string[]): Values {
  const names = personFields(contract).map(({ name }) => name)
  const sent = names.filter((name) => IDENTITY_FIELDS.includes(name) || chosen.includes(name))
  return pick(client, sent)
}

/**
 * The answers that are sent, by the field names of the other hub's case type. A field that would not be visible there
 * is an error at its group, so that no answer is lost unnoticed.
 */
export function answersOf(
  visibleGroups: Group[],
  answers: Values,
  chosen: Chosen['answers'],
  target: { label: string; groups: Group[]; conditionContext: ConditionContext },
): { values: Values; errors: FieldErrors } {
  const sent = visibleGroups.map(({ name, fields }) => ({
    name,
    fields: fields.filter((field) => chosen[name]?.includes(field.name) && isSendable(field, answers)),
  }))
  const names = sent.flatMap(({ fields }) => fields.map((field) => field.name))
  const values = pick(answers, names)
  const targetTypes = typesOf(target.groups)
  const visibleTypes = typesOf(visible(target.groups, { ...target.conditionContext, answers: values }))
  const errors: FieldErrors = {}
  for (const { name, fields } of sent) {
    const unknown = fields.filter((field) => targetTypes.get(field.name) !== field.type)
    const hidden = fields.filter((field) => !unknown.includes(field) && !visibleTypes.has(field.name))
    const words = [
      ...(unknown.length > 0 ? [`${target.label} does not ask for ${listed(unknown)}: leave that out`] : []),
      ...(hidden.length > 0
        ? [`${listed(hidden)} would not be seen without the answer that it depends on: include that too`]
        : []),
    ]
    if (words.length > 0) errors[`chosen.answers.${name}`] = words
  }
  return { values, errors }
}

function typesOf(groups: Group[]): Map<string, string> {
  return new Map(groups.flatMap(({ fields }) => fields.map(({ name, type }) => [name, type])))
}

function listed(fields: Field[]): string {
  return fields.map(({ label }) => `“${label}”`).join(', ')
}

/** The client's fields in the wizard for new cases: the receiving hub would lose all others. */
export function personFields({ screens, entities }: Contract): Field[] {
  const wizard = Object.values(screens).find((s) => s.kind === 'wizard' && s.save === 'cases.create')
  const steps = wizard?.kind === 'wizard' ? wizard.steps : []
  const wizardFields = steps
    .filter(({ entity }) => entity === 'client')
    .flatMap(({ groups = [] }) => groups.flatMap(({ fields = [] }) => fields))
  return editableFields(entities.client).filter(
    ({ name }) => wizardFields.includes(name) || IDENTITY_FIELDS.includes(name),
  )
}

/** A group in which each group of fields is a field with a list of choices: their labels and values. */
function choiceOf(
  label: string,
  groups: Pick<Group, 'name' | 'label' | 'fields'>[],
  values: Values,
  itemLabel: ItemLabel,
): Group {
  const lists = groups.map(({ name, label, fields }): Field => {
    const options = fields.map((field) => ({
      value: field.name,
      label: `${field.label}: ${inWords(field, values[field.name], itemLabel)}`,
    }))
    return { name, label, type: 'multiselect', attrs: { is_on: true, options } }
  })
  return { name: 'chosen', label, fields: lists }
}

function inWords(field: Field, value: unknown, itemLabel: ItemLabel): string {
  const { parts } = FIELD_TYPES[field.type]
  if (!parts || !isPlainObject(value)) return describeAnswer(field, value, itemLabel)
  const answered = parts.filter(({ name }) => isSet(value[name]))
  return answered.map((part) => describeAnswer(part, value[part.name], itemLabel)).join(', ')
}

function isSendable(field: Field, answers: Values): boolean {
  return field.attrs?.is_on !== false && mayBeReferred(field) && isAnswered(answers[field.name])
}

/**
 * True if answers to a question may be sent. Calculated values are not: the other hub's form calculates its own. Nor
 * are files: only documents go along.
 */
export function mayBeReferred(field: Field): boolean {
  return isEditable(field) && !holdsFile(field)
}

function isAnswered(value: unknown): boolean {
  return isPlainObject(value) ? Object.values(value).some(isSet) : isSet(value)
}

function pick(values: Values, names: string[]): Values {
  return Object.fromEntries(
    names.filter((name) => isAnswered(values[name])).map((name) => [name, values[name]]),
  )
}
