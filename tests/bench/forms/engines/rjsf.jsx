// rjsf as it comes: one form, its own theme, ajv.
import Form from '@rjsf/core'
import validator from '@rjsf/validator-ajv8'
import { createRoot } from 'react-dom/client'
import { adaptById, asked, root, submitForm } from '../adapter.js'
import { ANSWERS, initialValues, makeForm } from '../form.js'
import { jsonSchemaOf } from '../jsonSchema.js'

const WIDGETS = { textarea: 'textarea', yesno: 'radio', multi: 'checkboxes' }
// Otherwise the first choice of every list is taken for the answer.
const NO_FALSE_ANSWERS = /** @type {const} */ ({ constAsDefaults: 'never' })

const form = makeForm(asked().size)
const schema = jsonSchemaOf(form, { ifThen: true })
const uiSchema = Object.fromEntries(
  form.fields.map(({ name, type }) => [name, WIDGETS[type] ? { 'ui:widget': WIDGETS[type] } : {}]),
)
const initial = initialValues(form)
let values = initial

createRoot(root()).render(
  <Form
    schema={schema}
    uiSchema={uiSchema}
    formData={initial}
    onChange={({ formData }) => {
      values = formData
    }}
    validator={validator}
    noHtml5Validate
    experimental_defaultFormStateBehavior={NO_FALSE_ANSWERS}
  />,
)

const byId = adaptById({
  prefix: 'root_',
  separator: '_',
  stored: (name) => values[name],
  submit: submitForm,
  errors: '.error-detail',
})
window.adapter = {
  ...byId,
  toggle: (name, answer) => {
    const at = ANSWERS.findIndex(({ value }) => value === answer)
    document.getElementById(`root_${name}-${at}`)?.click()
  },
}
