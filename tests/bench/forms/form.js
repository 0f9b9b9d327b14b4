// The one form that every engine draws. Fields: { name, label, type, required, options?, maxLength?, min?, max?, when? },
// `when` naming a yes-or-no field whose answer 'yes' shows the field.

const options = (count) =>
  Array.from({ length: count }, (_, i) => ({ value: `v${i}`, label: `Option number ${i}` }))
const FIFTY = options(50)
const TEN = options(10)

const TYPES = ['text', 'textarea', 'number', 'date', 'select', 'multi', 'yesno']
const MORE = {
  text: { maxLength: 200 },
  number: { min: 0, max: 10 ** 9 },
  select: { options: FIFTY },
  multi: { options: TEN },
}
const CONDITIONAL_TYPES = ['text', 'select', 'number', 'date', 'textarea']
const DRIVERS = 5
const CONDITIONALS = 10
const REPEATS = 3
const COLUMNS = [
  { name: 'text', type: 'text', label: 'Row text', required: true, ...MORE.text },
  { name: 'number', type: 'number', label: 'Row number', ...MORE.number },
  { name: 'date', type: 'date', label: 'Row date' },
  { name: 'select', type: 'select', label: 'Row select', options: TEN },
]
const MULTI_AND_YESNO = ['multi', 'yesno']

/** How a choice of yes, no or not known is stored and read. */
export const ANSWERS = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
  { value: 'not_known', label: 'Not known' },
]

/**
 * A form of `size` fields, the conditional ones and the columns of the repeats counted in. Of `calculated` fields beside
 * them, the last is the sum of the others, and each of these the sum of its share of the form's numbers.
 */
export function makeForm(size, calculated = 0) {
  const plain = Array.from({ length: size - CONDITIONALS - REPEATS * COLUMNS.length }, (_, i) => {
    const type = TYPES[i % TYPES.length]
    const required = i % 3 === 0 && !MULTI_AND_YESNO.includes(type)
    return { name: `f${i}_${type}`, label: `Field ${i} ${type}`, type, required, ...MORE[type] }
  })
  const drivers = plain.filter(({ type }) => type === 'yesno').slice(0, DRIVERS)
  const conditionals = Array.from({ length: CONDITIONALS }, (_, i) => {
    const type = CONDITIONAL_TYPES[i % CONDITIONAL_TYPES.length]
    const when = drivers[i % DRIVERS].name
    const name = `c${i}_${type}`
    return { name, label: `Conditional ${i} ${type}`, type, required: i % 2 === 0, when, ...MORE[type] }
  })
  const fields = plain.flatMap((field) => [field, ...conditionals.filter(({ when }) => when === field.name)])
  const repeats = Array.from({ length: REPEATS }, (_, i) => ({
    name: `r${i}`,
    label: `Repeat ${i}`,
    columns: COLUMNS,
  }))
  return {
    size,
    fields,
    drivers: drivers.map(({ name }) => name),
    repeats,
    sums: sumsOf(plain, calculated),
  }
}

function sumsOf(plain, count) {
  if (count === 0) return []
  const numbers = plain.filter(({ type }) => type === 'number').map(({ name }) => name)
  const parts = Array.from({ length: count - 1 }, (_, i) => ({
    name: `sum${i}`,
    label: `Sum ${i}`,
    of: numbers.filter((_, at) => at % (count - 1) === i),
  }))
  return [...parts, { name: 'total', label: 'Total', of: parts.map(({ name }) => name) }]
}

/** Every repeat begins with one empty row. */
export const initialValues = ({ repeats }) => Object.fromEntries(repeats.map(({ name }) => [name, [{}]]))

const BOXES = { multi: TEN.length, yesno: ANSWERS.length }

/** How many inputs, selects and textareas the form has before anything is answered. */
export function controlsOf({ fields, repeats }) {
  const shown = fields.filter(({ when }) => !when).map(({ type }) => BOXES[type] ?? 1)
  return shown.reduce((sum, boxes) => sum + boxes, 0) + repeats.length * COLUMNS.length
}

/** Names of the fields that a submit must complain of when nothing is answered but `answered`. */
export function missingIn({ fields, repeats }, answered = []) {
  const own = fields.filter(({ required, when }) => required && !when).map(({ name }) => name)
  const inRows = repeats.map(({ name }) => `${name}.0.text`)
  return [...own, ...inRows].filter((name) => !answered.includes(name))
}

/** The name of a number in the middle. */
export function numberToType({ fields }) {
  const numbers = fields.filter(({ type, when }) => type === 'number' && !when)
  return numbers[Math.floor(numbers.length / 2)].name
}

/** The names of three one-line texts, at the beginning, in the middle and at the end. */
export function textsToType({ fields }) {
  const texts = fields.filter(({ type, when }) => type === 'text' && !when).map(({ name }) => name)
  return [texts[0], texts[Math.floor(texts.length / 2)], texts.at(-1)]
}
