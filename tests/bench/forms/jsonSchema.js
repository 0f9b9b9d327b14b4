import { ANSWERS } from './form.js'

const constants = (options) => options.map(({ value, label }) => ({ const: value, title: label }))

const SHAPES = {
  text: ({ maxLength }) => ({ type: 'string', maxLength }),
  textarea: () => ({ type: 'string' }),
  number: ({ min, max }) => ({ type: 'integer', minimum: min, maximum: max }),
  date: () => ({ type: 'string', format: 'date' }),
  select: ({ options }) => ({ type: 'string', oneOf: constants(options) }),
  multi: ({ options }) => ({
    type: 'array',
    uniqueItems: true,
    items: { type: 'string', oneOf: constants(options) },
  }),
  yesno: () => ({ type: 'string', oneOf: constants(ANSWERS) }),
}

const shapeOf = (field) => ({ title: field.label, ...SHAPES[field.type](field) })

const objectOf = (fields) => ({
  type: 'object',
  properties: Object.fromEntries(fields.map((field) => [field.name, shapeOf(field)])),
  required: fields.filter(({ required }) => required).map(({ name }) => name),
})

/** The form as JSON Schema; conditional fields as if/then, or among the others for engines with rules of their own. */
export function jsonSchemaOf({ fields, drivers, repeats }, { ifThen }) {
  const flat = objectOf(fields.filter(({ when }) => !when || !ifThen))
  const lists = repeats.map(({ name, label, columns }) => [
    name,
    { type: 'array', title: label, items: objectOf(columns) },
  ])
  const unconditional = fields.filter(({ required, when }) => required && !when).map(({ name }) => name)
  return {
    ...flat,
    properties: { ...flat.properties, ...Object.fromEntries(lists) },
    required: unconditional,
    ...(ifThen && { allOf: drivers.map((driver) => condition(driver, fields)) }),
  }
}

function condition(driver, fields) {
  const { properties, required } = objectOf(fields.filter(({ when }) => when === driver))
  return {
    if: { properties: { [driver]: { const: 'yes' } }, required: [driver] },
    then: { properties, required },
  }
}
