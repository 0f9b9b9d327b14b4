const GROUP = 10

/** Groups of ten questions: texts, choices, and one that waits for an answer of another. */
export const bigMeta = (fields) =>
  Array.from({ length: fields / GROUP }, (_, g) => ({
    name: `group_${g}`,
    label: `Part ${g + 1}`,
    attrs: { is_on: true },
    fields: Array.from({ length: GROUP }, (_, f) => ({
      name: `question_${g}_${f}`,
      label: `Question ${g + 1}.${f + 1}`,
      type: f % 3 === 0 ? 'yesno' : 'text',
      attrs: { is_on: true, ...(f === 4 && { when: { [`question_${g}_0`]: 'yes' } }) },
    })),
  }))
