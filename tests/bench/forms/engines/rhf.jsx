// react-hook-form with plain HTML controls.
import { Fragment, memo } from 'react'
import { createRoot } from 'react-dom/client'
import { FormProvider, useFieldArray, useForm, useFormContext, useFormState, useWatch } from 'react-hook-form'
import { adaptById, asked, root, submitForm } from '../adapter.js'
import { ANSWERS, initialValues, makeForm } from '../form.js'

const form = makeForm(asked().size)

const rulesOf = ({ required, maxLength, type, min, max }) => ({
  required: required && 'is required',
  ...(maxLength && { maxLength: { value: maxLength, message: 'is too long' } }),
  ...(type === 'number' && {
    min: { value: min, message: 'is too small' },
    max: { value: max, message: 'is too large' },
  }),
})

const CONTROLS = {
  text: (id, asks) => <input id={id} {...asks} />,
  textarea: (id, asks) => <textarea id={id} {...asks} />,
  number: (id, asks) => <input id={id} type="number" {...asks} />,
  date: (id, asks) => <input id={id} type="date" {...asks} />,
  select: (id, asks, { options }) => (
    <select id={id} {...asks}>
      <option value="" />
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  ),
  multi: (id, asks, { options }) => choices('checkbox', id, asks, options),
  yesno: (id, asks) => choices('radio', id, asks, ANSWERS),
}

const choices = (type, id, asks, options) =>
  options.map(({ value, label }) => (
    <label key={value}>
      <input type={type} id={`${id}-${value}`} value={value} {...asks} /> {label}
    </label>
  ))

function Wrong({ id }) {
  const { errors } = useFormState({ name: id })
  const error = id.split('.').reduce((at, part) => at?.[part], errors)
  return error ? (
    <div className="wrong" role="alert">
      {error.message}
    </div>
  ) : null
}

const Field = memo(function Field(/** @type {{field: any, id: string}} */ { field, id }) {
  const { register } = useFormContext()
  return (
    <div>
      <label htmlFor={id}>{field.label}</label>
      {CONTROLS[field.type](id, register(id, rulesOf(field)), field)}
      <Wrong id={id} />
    </div>
  )
})

function Revealed({ by }) {
  if (useWatch({ name: by }) !== 'yes') return null
  return form.fields
    .filter(({ when }) => when === by)
    .map((field) => <Field key={field.name} field={field} id={field.name} />)
}

function Repeat({ repeat: { name, label, columns } }) {
  const { fields, append, remove } = useFieldArray({ name })
  return (
    <fieldset>
      <legend>{label}</legend>
      {fields.map((row, i) => (
        <div key={row.id}>
          {columns.map((column) => (
            <Field key={column.name} field={column} id={`${name}.${i}.${column.name}`} />
          ))}
          <button type="button" onClick={() => remove(i)}>
            Remove
          </button>
        </div>
      ))}
      <button type="button" onClick={() => append({})}>
        Add another
      </button>
    </fieldset>
  )
}

let getValues

function Form() {
  const methods = useForm({
    defaultValues: initialValues(form),
    shouldUnregister: true,
    shouldFocusError: false,
  })
  getValues = methods.getValues
  return (
    <FormProvider {...methods}>
      <form noValidate onSubmit={methods.handleSubmit(() => {})}>
        {form.fields
          .filter(({ when }) => !when)
          .map((field) => (
            <Fragment key={field.name}>
              <Field field={field} id={field.name} />
              {form.drivers.includes(field.name) && <Revealed by={field.name} />}
            </Fragment>
          ))}
        {form.repeats.map((repeat) => (
          <Repeat key={repeat.name} repeat={repeat} />
        ))}
      </form>
    </FormProvider>
  )
}

createRoot(root()).render(<Form />)
window.adapter = adaptById({
  stored: (name) => getValues(name),
  submit: submitForm,
  errors: '.wrong',
})
