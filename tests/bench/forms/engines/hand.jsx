// The yardstick: this one form by hand, with Blueprint's controls, as somebody would write it who cares for speed. Texts
// are left to the browser, only what is wrong and what is revealed is React's.
import { Button, Checkbox, FormGroup, HTMLSelect, InputGroup, Radio, TextArea } from '@blueprintjs/core'
import { memo, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { adaptById, asked, root, submitForm } from '../adapter.js'
import { ANSWERS, makeForm } from '../form.js'
import '../../../../src/app/app.css'
import '../../../../src/app/inside.css'
import { Summary } from './handSummary.jsx'

const { size, group, calculated } = asked()
const form = makeForm(size, calculated)
const shown = form.fields.filter(({ when }) => !when)
const parts = Array.from({ length: Math.ceil(shown.length / group) }, (_, i) =>
  shown.slice(i * group, (i + 1) * group),
)

const CONTROLS = {
  text: (id, { maxLength }) => <InputGroup id={id} name={id} maxLength={maxLength} />,
  textarea: (id) => <TextArea id={id} name={id} />,
  number: (id) => <InputGroup id={id} name={id} inputMode="numeric" />,
  date: (id) => <InputGroup id={id} name={id} type="date" />,
  select: (id, { options }) => (
    <HTMLSelect id={id} name={id}>
      <option value="" />
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </HTMLSelect>
  ),
  multi: (id, { options }) =>
    options.map(({ value, label }) => (
      <Checkbox key={value} id={`${id}-${value}`} name={id} value={value} label={label} />
    )),
  yesno: (id, _, onAnswer) =>
    ANSWERS.map(({ value, label }) => (
      <Radio
        key={value}
        id={`${id}-${value}`}
        name={id}
        value={value}
        label={label}
        inline
        onChange={onAnswer && ((event) => onAnswer(event.currentTarget.value))}
      />
    )),
}

const Field = memo(function Field(
  /** @type {{field: any, id: string, error?: string, onAnswer?: (answer: string) => void}} */ {
    field,
    id,
    error,
    onAnswer,
  },
) {
  return (
    <FormGroup
      className="field"
      label={field.label}
      labelFor={id}
      labelInfo={field.required ? undefined : '(optional)'}
      intent={error ? 'danger' : 'none'}
      helperText={error && <span className="wrong">{error}</span>}
    >
      {CONTROLS[field.type](id, field, onAnswer)}
    </FormGroup>
  )
})

/** A yes-or-no question and what its answer reveals. */
const Driver = memo(function Driver(
  /** @type {{field: any, errors: Record<string, string>}} */ { field, errors },
) {
  const [answer, setAnswer] = useState('')
  return (
    <>
      <Field field={field} id={field.name} error={errors[field.name]} onAnswer={setAnswer} />
      {answer === 'yes' &&
        form.fields
          .filter(({ when }) => when === field.name)
          .map((one) => <Field key={one.name} field={one} id={one.name} error={errors[one.name]} />)}
    </>
  )
})

const Repeat = memo(function Repeat(
  /** @type {{repeat: any, errors: Record<string, string>}} */ { repeat: { name, label, columns }, errors },
) {
  const [rows, setRows] = useState([0])
  return (
    <section className="form-section">
      <h2>{label}</h2>
      {rows.map((row) => (
        <fieldset key={row}>
          <legend>
            {label} {row + 1}
          </legend>
          {columns.map((column) => {
            const id = `${name}.${row}.${column.name}`
            return <Field key={id} field={column} id={id} error={errors[id]} />
          })}
          <Button text="Remove" onClick={() => setRows(rows.filter((one) => one !== row))} />
        </fieldset>
      ))}
      <Button text="Add another" onClick={() => setRows([...rows, (rows.at(-1) ?? -1) + 1])} />
    </section>
  )
})

const fieldOf = (id) => {
  const [repeat, , column] = id.split('.')
  return column
    ? form.repeats.find(({ name }) => name === repeat)?.columns.find(({ name }) => name === column)
    : form.fields.find(({ name }) => name === id)
}

function judge(element) {
  const wrong = {}
  for (const { name: id, value } of element.elements) {
    const field = id && fieldOf(id)
    if (!field) continue
    if (field.required && value.trim() === '') wrong[id] = `Enter ${field.label}`
    else if (
      field.type === 'number' &&
      value !== '' &&
      !(Number(value) >= field.min && Number(value) <= field.max)
    )
      wrong[id] = `${field.label} must be ${field.min} to ${field.max}`
  }
  return wrong
}

let updateSums

/** The sums, drawn anew when one of the numbers changes. */
function Sums() {
  const [sums, setSums] = useState({})
  updateSums = () => {
    const next = {}
    for (const { name, of } of form.sums)
      next[name] = of.reduce((sum, one) => sum + Number(next[one] ?? answers[one] ?? 0), 0)
    setSums(next)
  }
  return (
    <section className="form-section">
      <h2>Sums</h2>
      {form.sums.map(({ name, label }) => (
        <FormGroup key={name} className="field" label={label}>
          <output id={name}>{sums[name]}</output>
        </FormGroup>
      ))}
    </section>
  )
}

const NONE = {}
const answers = {}

function Form() {
  const [errors, setErrors] = useState(NONE)
  return (
    <form
      className="form"
      noValidate
      onInput={({ target }) => {
        const { name, value, inputMode } = /** @type {HTMLInputElement} */ (target)
        answers[name] = value
        if (inputMode === 'numeric') updateSums?.()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        setErrors(judge(event.currentTarget))
      }}
    >
      {errors !== NONE && <Summary errors={errors} />}
      {parts.map((fields, i) => (
        <section className="form-section" key={fields[0].name}>
          <h2>Part {i + 1}</h2>
          {fields.map((field) =>
            form.drivers.includes(field.name) ? (
              <Driver key={field.name} field={field} errors={errors} />
            ) : (
              <Field key={field.name} field={field} id={field.name} error={errors[field.name]} />
            ),
          )}
        </section>
      ))}
      {form.repeats.map((repeat) => (
        <Repeat key={repeat.name} repeat={repeat} errors={errors} />
      ))}
      {form.sums.length > 0 && <Sums />}
    </form>
  )
}

createRoot(root()).render(<Form />)
window.adapter = adaptById({
  stored: (name) => answers[name],
  submit: submitForm,
  total: () => document.getElementById('total')?.textContent,
  errors: '.wrong',
})
