import type { Field, FieldAttrs } from './generated.ts'
import { MAX_INTEGER } from './limits.ts'
import { unchanged } from './textTypes.ts'
import type { FieldSchema, TypeFacts } from './typeFacts.ts'
import { MAX_CHOSEN } from './when.ts'
import { YES_NO_LABELS } from './yesNo.ts'

const CHOICES: (keyof FieldAttrs)[] = ['options', 'lookup', 'lookup_params', 'default']

const CHOICE = {
  compares: 'choice',
  literal: { type: 'string' },
  calculates: 'choice',
  cell: 'lookup',
  paper: 'choices',
  normalise: unchanged,
  compareKey: unchanged,
} as const satisfies Partial<TypeFacts>

export const CHOICE_TYPES = {
  yesno: {
    ...CHOICE,
    title: 'Yes or no',
    about: 'Yes, no or not known',
    attrs: ['known_only', 'default'],
    ownChoices: yesNoChoices,
    schema: ({ attrs }) => ({ type: 'string', enum: yesNoChoices(attrs).map(({ value }) => value) }),
    example: 'yes',
    words: (value) =>
      Object.hasOwn(YES_NO_LABELS, value as string) ? YES_NO_LABELS[value as string] : undefined,
    takesInWords: ({ known_only }) => (known_only ? 'Yes or no' : 'Yes, no or not known'),
    cell: 'yesno',
    sheet: { kind: 'yesNo', takes: 'Yes, No or Not known' },
    controls: 'radios',
  },
  select: {
    ...CHOICE,
    title: 'One choice',
    about: 'One of several choices',
    attrs: [...CHOICES, 'radios'],
    choices: 'one',
    schema: choice,
    example: 'green',
    sheet: { kind: 'choice', takes: 'One of the list' },
    presets: 'choices',
  },
  multiselect: {
    ...CHOICE,
    title: 'Several choices',
    about: 'Any of several choices',
    attrs: CHOICES,
    choices: 'several',
    schema: severalChoices,
    compareKey: (value) => (Array.isArray(value) ? [...value].sort() : value),
    example: ['red', 'blue'],
    isUnsorted: true,
    sheet: { kind: 'choices', takes: 'One or more of the list, with commas between' },
    controls: 'set',
  },
} satisfies Record<string, TypeFacts>

/** The choices of a yes/no question in the order in which they are offered. */
export function yesNoChoices(attrs?: FieldAttrs): { value: string; label: string }[] {
  const all = Object.entries(YES_NO_LABELS).map(([value, label]) => ({ value, label }))
  return attrs?.known_only ? all.filter(({ value }) => value !== 'not_known') : all
}

function choice({ attrs }: Field): FieldSchema {
  if (attrs?.options) return { enum: attrs.options.map((o) => o.value) }
  return { type: 'integer', minimum: 1, maximum: MAX_INTEGER }
}

function severalChoices(field: Field): FieldSchema {
  const exclusive = field.attrs?.options?.filter((option) => option.exclusive)
  return {
    type: 'array',
    items: choice(field),
    uniqueItems: true,
    maxItems: MAX_CHOSEN,
    ...(exclusive?.length && { exclusive }),
  }
}
