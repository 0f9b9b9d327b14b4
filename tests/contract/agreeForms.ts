import fs from 'node:fs'
import { loadContract } from '../../src/check/load.ts'
import { groupsOf } from '../../src/contract/entity.ts'
import type { Field, FieldAttrs, FieldType, Group } from '../../src/contract/generated.ts'
import type { Metas } from '../../src/contract/meta/metaTypes.ts'

/** Groups that are validated together, and the name of their source. */
export interface Form {
  from: string
  groups: Group[]
}

const field = (type: FieldType, attrs: FieldAttrs = {}, name = type as string, fields?: Field[]): Field => ({
  name,
  label: name,
  type,
  attrs,
  ...(fields && { fields }),
})
const options = [1, 2, 3, 10].map((value) => ({ value, label: `Choice ${value}` }))

/** Covers what the real forms lack: row limits, conditions within rows, numeric choices, rules between fields. */
const rest: Form = {
  from: 'rest',
  groups: [
    {
      name: 'plain',
      label: 'Plain',
      fields: [
        field('text', { required: true, max_length: 5 }),
        field('text', { default: { from: '$text' } }, 'copy'),
        field('integer', { default: { calc: 'add', of: ['integer', 1] }, max: 5 }, 'next'),
        field('postcode', { default: { from: '$client.postcode' }, hidden: true }, 'home'),
        field('date', { default: 'today', hidden: true, when: { copy: { set: true } } }, 'copied'),
        field(
          'select',
          {
            options,
            calc: 'choose',
            choose: [
              { when: { integer: { min: 2 } }, then: 10 },
              { when: { text: 'Anna', any: [{ year: { set: true } }, { integer: { max: 0 } }] }, then: 2 },
              {},
            ],
          },
          'band',
        ),
        field('text', { required_when: { band: [2, 10] } }, 'why_band'),
        field('text', { rules: ['nhs_number'], max_length: 20 }, 'nhs'),
        field('text', { rules: ['email'], max_length: 254 }, 'mail'),
        field('text', { pattern: { matches: '[A-Z]{2}-[0-9]+', example: 'AB-1' }, required: true }, 'number'),
        field('date', { rules: ['not_future'], required: true }, 'since'),
        field('date', { rules: ['after:since'], when: { since: { set: true } } }, 'until'),
        field('datetime', { required_when: { text: 'Anna' } }),
        field('integer', { min: -3, max: 7 }),
        field('duration'),
        field('decimal', { places: 3, unit: 'kg', min: -2, max: 5.5 }),
        field('money', { required: true }),
        field('year'),
        field('scale', { min: 1, max: 5, min_text: 'Never', max_text: 'Always' }),
        field('month'),
        field('time'),
        field('file', { required: true }),
        field('signature'),
      ],
    },
    {
      name: 'choices',
      label: 'Choices',
      fields: [
        field('select', { options, required: true }),
        field('multiselect', { options, required: true }),
        field('multiselect', { lookup: 'comm_needs', when: { select: [1, 2] } }, 'needs'),
        field('contact', { required: true }),
        field('uk_address', {}, 'home'),
      ],
    },
    {
      name: 'rows',
      label: 'Rows',
      fields: [
        field(
          'text',
          { required: true, when: { people: { any_row: { known: 'no', name: { set: true } } } } },
          'why_not',
        ),
        field(
          'integer',
          {
            calc: 'count_rows',
            of: ['people'],
            rows_when: { known: ['yes', 'no'] },
            when: { people: { every_row: { name: { set: true } } } },
          },
          'asked',
        ),
        field(
          'text',
          { required_when: { people: { count_rows: { all_told: { min: 1 } }, min: 2 } } },
          'why_told',
        ),
        field(
          'repeat',
          { rows_from: 'integer', row_label: 'Meeting', sort_by: 'day', sort_down: true, max: 4 },
          'meetings',
          [field('date', { required: true }, 'day')],
        ),
        field('repeat', { min: 2, max: 3, required: true }, 'people', [
          field('text', { required: true, max_length: 3 }, 'name'),
          field('yesno', {}, 'known'),
          field('phone', { required: true, when: { known: 'yes' } }, 'phone'),
          field('multiselect', { options }, 'kinds'),
          field('contact', {}, 'other'),
          field('date', { rules: ['not_future'] }, 'born'),
          field('date', { rules: ['after:born'] }, 'died'),
          field('text', { pattern: { matches: '(?i)x\\pL*', example: 'X' } }, 'code'),
          field('repeat', { max: 3, when: { known: 'yes' } }, 'visits', [
            field('date', { required: true, rules: ['not_future'] }, 'day'),
            field('text', { max_length: 4, required_when: { kinds: [1] } }, 'what'),
            field('integer', { calc: 'count', of: ['what'] }, 'told'),
          ]),
          field('integer', { calc: 'sum', of: ['visits.told'] }, 'all_told'),
        ]),
      ],
    },
  ],
}

/** Both metas of the six case types, every entity and body, and the `rest` form 16 times for more weight. */
export function forms(root: string): Form[] {
  const types = JSON.parse(
    fs.readFileSync(`${root}/src/server/ops/demo/case-types.json`, 'utf8'),
  ) as (Metas & {
    code: string
  })[]
  const metas = types.flatMap(({ code, case_meta, issue_meta }) => [
    { from: `${code} case_meta`, groups: case_meta },
    { from: `${code} issue_meta`, groups: issue_meta },
  ])
  const { entities, bodies } = loadContract(root).contract
  const shapes = Object.entries({ ...entities, ...bodies })
    .map(([from, shape]) => ({ from, groups: groupsOf(shape) }))
    .filter(({ groups }) => groups[0].fields.length > 0)
  return [...metas, ...shapes, ...Array<Form>(16).fill(rest)]
}
