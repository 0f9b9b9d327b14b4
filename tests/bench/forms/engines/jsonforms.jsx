// JSON Forms with its plain HTML renderers, which have no list of checkboxes: that one is written here.
import { and, hasType, rankWith, schemaMatches, uiTypeIs } from '@jsonforms/core'
import { JsonForms, withJsonFormsMultiEnumProps } from '@jsonforms/react'
import { vanillaCells, vanillaRenderers } from '@jsonforms/vanilla-renderers'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { asked, root } from '../adapter.js'
import { initialValues, makeForm } from '../form.js'
import { jsonSchemaOf } from '../jsonSchema.js'

const OPTIONS = { textarea: { multi: true }, yesno: { format: 'radio' } }

const form = makeForm(asked().size)
const schema = jsonSchemaOf(form, { ifThen: false })
const scopeOf = (name) => `#/properties/${name}`

const controlOf = ({ name, type, when }) => ({
  type: 'Control',
  scope: scopeOf(name),
  options: OPTIONS[type],
  ...(when && {
    rule: {
      effect: 'SHOW',
      condition: { scope: scopeOf(when), schema: { const: 'yes' }, failWhenUndefined: true },
    },
  }),
})
const layout = { type: 'VerticalLayout', elements: [...form.fields, ...form.repeats].map(controlOf) }

const Checkboxes = withJsonFormsMultiEnumProps(
  ({ id, label, options, data = [], path, addItem, removeItem, visible }) =>
    visible && (
      <fieldset id={id}>
        <legend>{label}</legend>
        {options.map(({ value, label: words }) => (
          <label key={value}>
            <input
              type="checkbox"
              checked={data.includes(value)}
              onChange={(event) => (event.target.checked ? addItem : removeItem)(path, value)}
            />{' '}
            {words}
          </label>
        ))}
      </fieldset>
    ),
)
const isChoiceOfMany = and(
  uiTypeIs('Control'),
  schemaMatches((one) => hasType(one, 'array') && one.uniqueItems === true),
)
const renderers = [...vanillaRenderers, { tester: rankWith(20, isChoiceOfMany), renderer: Checkboxes }]

let setMode
const initial = initialValues(form)
let values = initial

function Form() {
  const [data, setData] = useState(initial)
  const [mode, set] = useState('ValidateAndHide')
  setMode = set
  return (
    <JsonForms
      schema={schema}
      uischema={layout}
      data={data}
      renderers={renderers}
      cells={vanillaCells}
      validationMode={mode}
      onChange={({ data: now }) => {
        values = now
        setData(now)
      }}
    />
  )
}

createRoot(root()).render(<Form />)

const boxOf = (name) => document.getElementById(scopeOf(name))
const radioOf = (name, answer) =>
  /** @type {HTMLInputElement | null} */ (
    document.querySelector(`input[name="${scopeOf(name)}"][value="${answer}"]`)
  )
window.adapter = {
  control: (name) => {
    const input = document.getElementById(`${scopeOf(name)}-input`)
    return /** @type {HTMLInputElement | null} */ (
      input ?? boxOf(name)?.querySelector('input, select, textarea')
    )
  },
  toggle: (name, answer) => radioOf(name, answer)?.click(),
  stored: (name) => values[name],
  submit: () => setMode('ValidateAndShow'),
  errors: () =>
    [...document.querySelectorAll('.validation_error, tbody td span')].filter((one) =>
      one.textContent?.trim(),
    ).length,
}
