import type { Contract } from '../../contract/contract.ts'
import { editableFields } from '../../contract/entity.ts'
import { isAsked } from '../../contract/fieldTypes.ts'
import { holdsFile } from '../../contract/fileKinds.ts'
import type { Field, Group } from '../../contract/generated.ts'
import type { FieldErrors } from '../../contract/validateAnswers.ts'
import { visible } from '../../contract/visible.ts'
import { type ConditionContext, isPlainObject, isSet, type Values } from '../../contract/when.ts'

/** What always goes along with a referral: without it nobody knows whom it is about. */
const ALWAYS = ['first_name', 'last_name', 'dob']

/** What a person chose to send along: names of the client's fields, and of the case's answers by their group. */
export interface Chosen {
  person: string[]
  answers: Record<string, string[]>
}

/** What of a client may go along with a referral, as a form to choose from. */
export function offeredPerson(contract: Contract, client: Values): Group[] {
  const fields = personFields(contract).filter(
    ({ name }) => !ALWAYS.includes(name) && isAnswered(client[name]),
  )
  return fields.length > 0
    ? [choiceOf('Goes along', [{ name: 'person', label: 'About the person', fields }])]
    : []
}

/** Which answers of a case may go along with a referral, as a form to choose from: one list of choices a group. */
export function offeredAnswers(shown: Group[], answers: Values): Group[] {
  const answered = shown
    .map((group) => ({ ...group, fields: group.fields.filter((field) => maySend(field, answers)) }))
    .filter(({ fields }) => fields.length > 0)
  return answered.length > 0 ? [choiceOf('', answered)] : []
}

/** The client's fields that go along. */
export function personOf(contract: Contract, client: Values, chosen: string[]): Values {
  const names = personFields(contract).map(({ name }) => name)
  const going = names.filter((name) => ALWAYS.includes(name) || chosen.includes(name))
  return pick(client, going)
}

/**
 * The answers that go along, under the names by which the other hub's case type asks for them. What it would not show is
 * an error at its group, so that nothing is left behind unseen.
 */
export function answersOf(
  shown: Group[],
  answers: Values,
  chosen: Chosen['answers'],
  target: { label: string; groups: Group[]; conditionContext: ConditionContext },
): { values: Values; errors: FieldErrors } {
  const going = shown.map(({ name, fields }) => ({
    name,
    fields: fields.filter((field) => chosen[name]?.includes(field.name) && maySend(field, answers)),
  }))
  const names = going.flatMap(({ fields }) => fields.map((field) => field.name))
  const values = pick(answers, names)
  const asked = typesOf(target.groups)
  const seen = typesOf(visible(target.groups, { ...target.conditionContext, answers: values }))
  const errors: FieldErrors = {}
  for (const { name, fields } of going) {
    const unasked = fields.filter((field) => asked.get(field.name) !== field.type)
    const unseen = fields.filter((field) => !unasked.includes(field) && !seen.has(field.name))
    const words = [
      ...(unasked.length > 0 ? [`${target.label} does not ask for ${listed(unasked)}: leave that out`] : []),
      ...(unseen.length > 0
        ? [`${listed(unseen)} would not be seen without the answer that it depends on: let that go along too`]
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

/** The fields of a new client that the wizard asks for: whatever else came along would be lost there. */
function personFields({ screens, entities }: Contract): Field[] {
  const wizard = Object.values(screens).find((s) => s.kind === 'wizard' && s.save === 'cases.create')
  const steps = wizard?.kind === 'wizard' ? wizard.steps : []
  const asked = steps
    .filter(({ entity }) => entity === 'client')
    .flatMap(({ groups = [] }) => groups.flatMap(({ fields = [] }) => fields))
  return editableFields(entities.client).filter(({ name }) => asked.includes(name))
}

/** A form in which each group of fields is one list of choices. */
function choiceOf(label: string, groups: Pick<Group, 'name' | 'label' | 'fields'>[]): Group {
  const lists = groups.map(({ name, label, fields }): Field => {
    const options = fields.map((field) => ({ value: field.name, label: field.label }))
    return { name, label, type: 'multiselect', attrs: { is_on: true, options } }
  })
  return { name: 'chosen', label, fields: lists }
}

/** A calculated value does not go along: the other hub's form calculates its own. */
function maySend(field: Field, answers: Values): boolean {
  const { name, attrs } = field
  // The other hub may not open a file of the case.
  return attrs?.is_on !== false && isAsked(field) && !holdsFile(field) && isAnswered(answers[name])
}

function isAnswered(value: unknown): boolean {
  return isPlainObject(value) ? Object.values(value).some(isSet) : isSet(value)
}

function pick(values: Values, names: string[]): Values {
  return Object.fromEntries(
    names.filter((name) => isAnswered(values[name])).map((name) => [name, values[name]]),
  )
}
