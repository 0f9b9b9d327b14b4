/** Bytes of a body, a little below the server's limit. */
const SIZE = 1_000_000

/** The server's limits: values and lists of a body, keys of an object. */
const [VALUES, KEYS] = [49_000, 2000]

/** As many of something as a body may have. */
function fit(make) {
  const list = []
  let [size, values] = [0, 0]
  while (size < SIZE && values < VALUES) {
    const text = JSON.stringify(make(list.length))
    size += text.length + 1
    values += text.match(/[,[{:]/g)?.length ?? 0
    values++
    list.push(make(list.length))
  }
  return list
}
const range = (n, make) => Array.from({ length: n }, (_, i) => make(i))
const object = (entries) => Object.fromEntries(entries.slice(0, KEYS))

/** Values as large as a body may have, by what they are; each may stand in any place of a body. */
export const LARGE_VALUES = {
  numbers: fit((i) => i + 1),
  'the same number': fit(() => 1),
  texts: fit((i) => `${i}`.padEnd(15, 'x')),
  objects: fit(() => ({})),
  rows: fit((i) => ({ row: `${i}`.padEnd(30, 'x'), type: 1 })),
  text: 'x'.repeat(SIZE),
  keys: object(fit((i) => [`k${i}`, 'x'.repeat(400)])),
  'objects of many keys': range(12, () => object(range(KEYS, (i) => [`k${i}`, i]))),
  deep: fit(() => nested(25, 1)),
}

function nested(depth, value) {
  return depth === 0 ? value : [nested(depth - 1, value)]
}

/** Whole bodies that no call knows. */
export const LARGE_BODIES = {
  'too many keys': Object.fromEntries(range(90_000, (i) => [`k${i}`, 1])),
  'too many values': { a: range(300_000, () => ({})) },
  'unknown keys': object(fit((i) => [`${i}`.padEnd(400, 'first_name'), 1])),
  'long unknown keys': object(
    Array.from({ length: 100 }, (_, i) => [`${i}_`.padEnd(SIZE / 110, 'first_name'), 1]),
  ),
  'one unknown key': { [`a${'first_name'.repeat(SIZE / 11)}`]: 1 },
}

const field = (i, more) => ({ name: `f${i}`, label: 'a', type: 'text', ...more })
const form = (fields) => [{ name: 'g', label: 'g', fields }]
const anyOf = (depth) => (depth === 0 ? { f1: 'x' } : { any: [anyOf(depth - 1), { f2: 'y' }] })
const options = range(500, (i) => ({ value: i, label: `${i}` }))

const columns = (count) =>
  range(count, (i) =>
    field(i, { type: 'integer', ...(i > 0 && { attrs: { calc: 'sum', of: [`f${i - 1}`, `f0`] } }) }),
  )
const repeat = (count, attrs) => ({
  ...field('rows'),
  name: 'rows',
  type: 'repeat',
  attrs,
  fields: columns(count),
})
const totals = (count) =>
  range(count, (i) => ({
    ...field(i, { type: 'integer', attrs: { calc: 'sum', of: ['rows.f4'] } }),
    name: `total${i}`,
  }))
const patterns = (count) =>
  range(count, (i) => ({
    ...field(i, { attrs: { pattern: { matches: `[A-Z]{2,9}-${i}`, example: `AB-${i}` } } }),
    name: `code${i}`,
  }))

/** A form that is as slow as one may be: totals over rows, and patterns. */
export const SLOW_FORM = form([repeat(20, { max: 100 }), ...totals(120), ...patterns(200)])

const slowRows = (count) => range(count, (i) => ({ row: `${i}`, f0: i }))
const codes = object(range(200, (i) => [`code${i}`, 'A'.repeat(500)]))

/** Answers to it. */
export const SLOW_ANSWERS = {
  'rows to the limit': { rows: slowRows(100) },
  'the same rows again': { rows: slowRows(100) },
  'far more rows': { rows: slowRows(9000) },
  'far more rows without values': { rows: range(45_000, () => ({})) },
  'texts for all patterns': codes,
  'rows and texts': { rows: slowRows(100), ...codes },
}

/** Forms that a case type might be sent with. */
export const FORMS = {
  'the slowest form': SLOW_FORM,
  'totals over rows': form([repeat(50, { max: 1_000_000 }), ...totals(1900)]),
  'totals of totals': form(
    range(1900, (i) =>
      field(i, { type: 'integer', attrs: { calc: 'sum', of: range(12, (k) => `f${i + k + 1}`) } }),
    ),
  ),
  'different patterns': form(patterns(1900)),
  'large patterns': form(
    range(300, (i) => field(i, { attrs: { pattern: { matches: `[ab]*a[ab]{200}|${i}`, example: `${i}` } } })),
  ),
  'answers in texts': form(
    range(900, (i) => ({ ...field(i), label: range(30, (k) => `{f${(i + k + 1) % 900}}`).join('') })),
  ),
  'groups without fields': fit((i) => ({ name: `g${i}`, label: 'g', fields: [] })),
  'wrong groups': fit(() => ({})),
  'wrong fields': form(fit(() => ({}))),
  'unknown keys in fields': form(fit((i) => ({ [`k${i}`]: 1 }))),
  'fields in one group': form(fit((i) => field(i))),
  'fields in groups of 100': range(250, (g) => ({
    name: `g${g}`,
    label: 'g',
    fields: range(85, (i) => field(g * 85 + i)),
  })),
  'the same field': form(fit(() => field(1))),
  '500 fields': form(range(500, (i) => field(i))),
  'a chain of 500 conditions': form(
    range(500, (i) => field(i, i === 499 ? {} : { attrs: { when: { [`f${i + 1}`]: 'x' } } })),
  ),
  'a circle of 500 conditions': form(
    range(500, (i) => field(i, { attrs: { when: { [`f${(i + 1) % 500}`]: 'x' } } })),
  ),
  'conditions on everything': form(
    range(450, (i) => field(i, { attrs: { when: object(range(25, (k) => [`f${k}`, { not: 'x' }])) } })),
  ),
  'literals of conditions': form([
    field(0, { type: 'select', attrs: { options } }),
    field(1, { attrs: { when: { f0: fit((i) => i % 500) } } }),
  ]),
  'wrong paths of conditions': form([field(1, { attrs: { when: object(fit((i) => [`k${i}`, 1])) } })]),
  'alternatives of conditions': form([
    field(1),
    field(2),
    field(3, { attrs: { when: { any: fit(() => ({ f1: 'x' })) } } }),
  ]),
  'nested alternatives': form(range(200, (i) => field(i, { attrs: { when: anyOf(10) } }))),
  choices: form(range(30, (i) => field(i, { type: 'select', attrs: { options } }))),
  'the same choices': form(
    range(60, (i) =>
      field(i, { type: 'select', attrs: { options: range(500, () => ({ value: 1, label: 'a' })) } }),
    ),
  ),
  'columns of repeats': form(
    range(400, (i) => field(i, { type: 'repeat', fields: range(50, (c) => field(c)) })),
  ),
  'repeats in repeats': form([repeatIn(12)]),
  rules: form([field(1, { attrs: { rules: fit(() => 'not_future') } })]),
  'wrong rules': form([field(1, { attrs: { rules: fit((i) => `x${i}`) } })]),
  'parameters of a lookup': form([
    field(1, {
      type: 'select',
      attrs: { lookup: 'gender', lookup_params: object(fit((i) => [`k${i}`, '$f1'])) },
    }),
  ]),
  'a long label': form([{ ...field(1), label: 'x'.repeat(SIZE) }]),
  'a long name': form([{ ...field(1), name: 'x'.repeat(SIZE) }]),
  defaults: form([field(1, { type: 'multiselect', attrs: { options, default: fit((i) => i) } })]),
}

function repeatIn(depth) {
  return field(depth, depth === 0 ? {} : { type: 'repeat', fields: [repeatIn(depth - 1)] })
}
