import { OUTCOMES, textOfOutcome, verbOf } from '../../contract/automations/outcomes.ts'
import type { FieldAttrs } from '../../contract/generated.ts'
import { isMatrix } from '../../contract/matrix.ts'
import { MAX_LABEL_LENGTH } from '../../contract/meta/formLimits.ts'
import type { MetaName } from '../../contract/meta/metaTypes.ts'
import { capitalised } from '../../contract/quoted.ts'
import { VERBS } from '../automations/verbs.ts'
import type { DefinitionPlace } from '../forms/definitions.ts'
import type { Address, Item } from '../state/address.ts'
import { type Draft, FORMS } from '../state/caseType.ts'

/** Keys from a draft down to a text. */
export type TextPath = (string | number)[]

/** A text of a draft that people read. */
export interface TextPlace {
  /** Where it stands; the choices of a table stand in each of its fields. */
  paths: [TextPath, ...TextPath[]]
  /** What it is: 'Label', 'Choice'. */
  what: string
  /** Labels from the tab down to its item. */
  where: string[]
  text: string
  maxLength: number
  /** The item that has it. */
  target: { meta?: MetaName; address: Address; definition?: DefinitionPlace }
}

/** The texts among the attributes of a field, and the most characters of each. */
const ATTRIBUTES = {
  help: { what: 'Help', maxLength: 1000 },
  text: { what: 'Note', maxLength: 5000 },
  required_text: { what: 'Message if it is empty', maxLength: 200 },
  row_label: { what: 'Name of a row', maxLength: 60 },
  min_text: { what: 'Lower end', maxLength: 60 },
  max_text: { what: 'Upper end', maxLength: 60 },
} satisfies { [Key in keyof FieldAttrs]?: { what: string; maxLength: number } }

const MAX_HINT_LENGTH = 300
const MAX_MESSAGE_LENGTH = 200
const MAX_DEADLINE_TEXT_LENGTH = 100

/** Every text of a draft that people read, in its order; stored names and values are none. */
export function textPlaces(draft: Draft): TextPlace[] {
  return [
    ...FORMS.flatMap(({ meta, title }) =>
      draft[meta].flatMap((group, g) =>
        placesIn(group, { path: [meta, g], where: [title], meta, address: [] }, isMatrix(group)),
      ),
    ),
    ...draft.automations.flatMap(({ name, label, then }, i) => {
      const at = { where: ['Automations', label], target: targetOf('automations', name) }
      const path = ['automations', i]
      return [
        { ...at, ...LABEL, paths: [[...path, 'label']], text: label, maxLength: MAX_MESSAGE_LENGTH },
        ...then.map((outcome, o) => ({
          ...at,
          what: capitalised(VERBS[verbOf(outcome)].name),
          paths: [[...path, 'then', o, OUTCOMES[verbOf(outcome)].text]],
          text: textOfOutcome(outcome),
          maxLength: MAX_MESSAGE_LENGTH,
        })),
      ] as TextPlace[]
    }),
    ...draft.deadlines.map(
      ({ name, label }, i): TextPlace => ({
        ...LABEL,
        paths: [['deadlines', i, 'label']],
        where: ['Deadlines', label],
        text: label,
        maxLength: MAX_DEADLINE_TEXT_LENGTH,
        target: targetOf('deadlines', name),
      }),
    ),
  ]
}

const LABEL = { what: 'Label', maxLength: MAX_LABEL_LENGTH }

function targetOf(list: DefinitionPlace['list'], name: string): TextPlace['target'] {
  return { address: [], definition: { list, name } }
}

interface Around {
  path: TextPath
  where: string[]
  meta: MetaName
  address: Address
}

/** The texts of a group or field and of what is in it. */
function placesIn(item: Item, around: Around, isTable = false): TextPlace[] {
  const { path, meta } = around
  const address = [...around.address, item.name]
  const at = { where: [...around.where, item.label], target: { meta, address } }
  const attrs: FieldAttrs = 'type' in item ? (item.attrs ?? {}) : {}
  const place = (below: TextPath, what: string, text: string, maxLength: number): TextPlace => ({
    ...at,
    paths: [[...path, ...below]],
    what,
    text,
    maxLength,
  })
  const inside = { ...around, address, where: at.where }
  const below = (item.fields ?? []).map((field, i) =>
    placesIn(field, { ...inside, path: [...path, 'fields', i] }),
  )
  return [
    place(['label'], LABEL.what, item.label, LABEL.maxLength),
    ...Object.entries(ATTRIBUTES).flatMap(([key, { what, maxLength }]) => {
      const text = attrs[key as keyof typeof ATTRIBUTES]
      return text ? [place(['attrs', key], what, text, maxLength)] : []
    }),
    ...(attrs.options ?? []).flatMap(({ label, hint }, i) => [
      place(['attrs', 'options', i, 'label'], CHOICE, label, MAX_LABEL_LENGTH),
      ...(hint ? [place(['attrs', 'options', i, 'hint'], HINT, hint, MAX_HINT_LENGTH)] : []),
    ]),
    ...(attrs.checks ?? []).map(({ message }, i) =>
      place(['attrs', 'checks', i, 'message'], 'Message of a check', message, MAX_MESSAGE_LENGTH),
    ),
    ...(isTable ? withSharedChoices(below) : below.flat()),
  ]
}

const CHOICE = 'Choice'
const HINT = 'Hint of a choice'

/** The texts of the fields of a table, which have the same choices: each choice once, at its first field. */
function withSharedChoices(fields: TextPlace[][]): TextPlace[] {
  const choices = new Map<string, TextPlace>()
  return fields.flatMap((places) =>
    places.filter((place) => {
      if (place.what !== CHOICE) return true
      const [path] = place.paths
      const key = JSON.stringify([path.slice(-2), place.text])
      const first = choices.get(key)
      if (first) first.paths.push(path)
      else choices.set(key, place)
      return first === undefined
    }),
  )
}
