// SurveyJS with its own React components; values follow every key, as ours do where somebody waits for them.
import { createRoot } from 'react-dom/client'
import { Model } from 'survey-core'
import { Survey } from 'survey-react-ui'
import 'survey-core/survey-core.css'
import { asked, root } from '../adapter.js'
import { ANSWERS, makeForm } from '../form.js'

const choices = (options) => options.map(({ value, label }) => ({ value, text: label }))

const QUESTIONS = {
  text: ({ maxLength }) => ({ type: 'text', maxLength }),
  textarea: () => ({ type: 'comment' }),
  number: ({ min, max }) => ({ type: 'text', inputType: 'number', min, max }),
  date: () => ({ type: 'text', inputType: 'date' }),
  select: ({ options }) => ({ type: 'dropdown', renderAs: 'select', choices: choices(options) }),
  multi: ({ options }) => ({ type: 'checkbox', choices: choices(options) }),
  yesno: () => ({ type: 'radiogroup', choices: choices(ANSWERS) }),
}

const questionOf = (field) => ({
  name: field.name,
  title: field.label,
  isRequired: Boolean(field.required),
  ...(field.when && { visibleIf: `{${field.when}} = 'yes'` }),
  ...QUESTIONS[field.type](field),
})

const form = makeForm(asked().size)
const model = new Model({
  textUpdateMode: 'onTyping',
  autoFocusFirstError: false,
  elements: [
    ...form.fields.map(questionOf),
    ...form.repeats.map(({ name, label, columns }) => ({
      type: 'paneldynamic',
      name,
      title: label,
      panelCount: 1,
      templateElements: columns.map(questionOf),
    })),
  ],
})

createRoot(root()).render(<Survey model={model} />)

const boxOf = (name) => document.querySelector(`[data-name="${name}"]`)
window.adapter = {
  control: (name) =>
    /** @type {HTMLInputElement | null} */ (boxOf(name)?.querySelector('input, select, textarea')),
  toggle: (name, answer) =>
    /** @type {HTMLInputElement | null} */ (boxOf(name)?.querySelector(`input[value="${answer}"]`))?.click(),
  stored: (name) => model.data[name],
  submit: () => model.validate(true, false),
  errors: () =>
    [...document.querySelectorAll('.sd-element__erbox, .sd-question__erbox')].filter((one) =>
      one.textContent?.trim(),
    ).length,
}
