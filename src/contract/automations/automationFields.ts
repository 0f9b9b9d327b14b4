import { DEADLINE_STATES, STATE_WORDS } from '../deadlines/deadlineState.ts'
import type { Automation, Deadline, Field } from '../generated.ts'
import type { Metas } from '../meta/metaTypes.ts'
import { recordFields } from '../meta/recordFields.ts'

export type AutomatedForms = Metas & { deadlines?: Deadline[] }

const CLIENT_COLUMNS: Field[] = [
  { name: 'with.client.dob', label: 'Date of birth (of the client)', type: 'date' },
  { name: 'with.client.dod', label: 'Date of death (of the client)', type: 'date' },
  {
    name: 'with.client.area',
    label: 'Area (of the client)',
    type: 'select',
    attrs: { lookup: 'area' },
  },
  {
    name: 'with.client.comm_needs',
    label: 'Communication needs (of the client)',
    type: 'multiselect',
    attrs: { lookup: 'comm_needs' },
  },
]

/**
 * The fields that the condition of an automation can look at, by path: those of its record, columns of the client, and
 * the states of the deadlines of its record.
 */
export function automationFields(of: Automation['of'], forms: AutomatedForms): Map<string, Field> {
  const deadlines = (forms.deadlines ?? []).filter((one) => one.of === of)
  const others = [...CLIENT_COLUMNS, ...deadlines.map(stateField)]
  return new Map([...recordFields(of, forms), ...others.map((field) => [field.name, field] as const)])
}

function stateField({ name, label }: Deadline): Field {
  const options = DEADLINE_STATES.map((value) => ({ value, label: STATE_WORDS[value] }))
  return { name: `deadline.${name}`, label: `${label} (deadline)`, type: 'select', attrs: { options } }
}
