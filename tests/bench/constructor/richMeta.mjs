/** Fields of a block: two groups, one under the other, and the columns of a repeat. */
const BLOCK = 20

const on = (attrs = {}) => ({ is_on: true, ...attrs })
const OPTIONS = ['Low', 'Medium', 'High'].map((label, i) => ({ value: i + 1, label, weight: i }))

/** A form with what makes work: groups two deep, conditions, checks, sums, values by conditions, texts and repeats. */
export const richMeta = (fields) =>
  Array.from({ length: Math.ceil(fields / BLOCK) }, (_, b) => [groupOf(b), groupBelow(b)]).flat()

function groupOf(b) {
  const { field, name } = named(`question_${b}`, `Question ${b + 1}`)
  return {
    name: `group_${2 * b}`,
    label: `Part ${b + 1}`,
    attrs: on(),
    fields: [
      field(0, 'yesno'),
      field(1, 'text', { help: `As it stands; the answer above is {${name(0)}}` }),
      field(2, 'text', { when: { [name(0)]: 'yes' }, required: true }),
      field(3, 'select', { options: OPTIONS }),
      field(4, 'integer', { min: 0, max: 100 }),
      field(5, 'integer', { checks: [{ when: { [name(5)]: { min: 90 } }, message: 'Too many' }] }),
      field(6, 'integer', { calc: 'sum', of: [name(4), name(5)] }),
      field(7, 'text', {
        calc: 'choose',
        choose: [
          { when: { [name(6)]: { min: 50 } }, then: { text: 'Many' } },
          { when: { [name(3)]: 3 }, then: { text: 'High' } },
          { then: { text: 'Few' } },
        ],
      }),
      field(8, 'date', { required_when: { [name(3)]: [2, 3] } }),
      {
        ...field(9, 'repeat', { max: 3 }),
        fields: [
          { name: 'who', label: 'Who', type: 'text', attrs: on() },
          { name: 'why', label: 'Why', type: 'text', attrs: on({ when: { who: { set: true } } }) },
        ],
      },
    ],
  }
}

function groupBelow(b) {
  const { field } = named(`detail_${b}`, `Detail ${b + 1}`)
  return {
    name: `group_${2 * b + 1}`,
    label: `Details of part ${b + 1}`,
    attrs: on({ under: `group_${2 * b}`, when: { [`question_${b}_0`]: 'yes' } }),
    fields: Array.from({ length: 8 }, (_, f) =>
      field(f, f % 2 === 0 ? 'text' : 'yesno', f === 4 ? { when: { [`question_${b}_3`]: 3 } } : {}),
    ),
  }
}

/** Makes the numbered fields of a group, and their names. */
function named(stem, words) {
  const name = (f) => `${stem}_${f}`
  const field = (f, type, attrs = {}) => ({
    name: name(f),
    label: `${words}.${f + 1}`,
    type,
    attrs: on(attrs),
  })
  return { name, field }
}
