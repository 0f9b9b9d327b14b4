import type { Field, FieldAttrs, FormTest, Group } from '../../contract/generated.ts'
import type { MetaName } from '../../contract/meta/metaTypes.ts'
import { META_OF } from '../../contract/meta/recordFields.ts'
import { isPlainObject, type Test, type Values, type When } from '../../contract/when.ts'
import { type Address, fieldAt } from './address.ts'
import type { Draft } from './caseType.ts'
import { change } from './edit.ts'
import { conditionWith, inPath, type Rename } from './withPaths.ts'
import { inField } from './withReferences.ts'

/** Renames the references to a column of the repeat at an address; the column itself keeps its name. */
export function withColumnReferences(draft: Draft, meta: MetaName, address: Address, rename: Rename): Draft {
  const { name } = fieldAt(draft[meta], address)!
  const inRows = change<Field>(draft[meta], address, (repeat) => ({
    ...repeat,
    ...(repeat.attrs?.sort_by && { attrs: { ...repeat.attrs, sort_by: rename(repeat.attrs.sort_by) } }),
    fields: repeat.fields?.map((column) => inField(column, rename)),
  }))
  const isTop = address.length === 2
  const outside = (field: Field) => fromOutside(field, name, rename)
  if (!isTop) {
    // Only the row around an inner repeat looks into its rows.
    const around = change<Field>(inRows, address.slice(0, -1), (one) => ({
      ...one,
      fields: one.fields?.map(outside),
    }))
    return { ...draft, [meta]: around }
  }
  const onRows = (when: When) => ofRows(when, name, rename)
  return {
    ...draft,
    [meta]: inRows.map(
      (group): Group => ({
        ...group,
        ...(group.attrs?.when && { attrs: { ...group.attrs, when: onRows(group.attrs.when) } }),
        fields: group.fields.map(outside),
      }),
    ),
    tests: draft.tests.map((test) => (test.meta === meta ? inTest(test, name, rename) : test)),
    automations: draft.automations.map((one) =>
      META_OF[one.of] === meta ? { ...one, when: onRows(one.when) } : one,
    ),
    deadlines: draft.deadlines.map((one) =>
      META_OF[one.of] === meta && one.when ? { ...one, when: onRows(one.when) } : one,
    ),
  }
}

/** A field that looks into the rows of a repeat: at 'repeat.column', or by conditions on its rows. */
function fromOutside(field: Field, repeat: string, rename: Rename): Field {
  const inside =
    field.name === repeat ? field.fields : field.fields?.map((one) => fromOutside(one, repeat, rename))
  return {
    ...field,
    ...(field.attrs && { attrs: attrsFromOutside(field.attrs, repeat, rename) }),
    ...(inside && { fields: inside }),
  }
}

function attrsFromOutside(attrs: FieldAttrs, repeat: string, rename: Rename): FieldAttrs {
  const { when, required_when, checks, choose, of, rows_when } = attrs
  const on = (one: When) => ofRows(one, repeat, rename)
  return {
    ...attrs,
    ...(when && { when: on(when) }),
    ...(required_when && { required_when: on(required_when) }),
    ...(checks && { checks: checks.map((one) => ({ ...one, when: on(one.when) })) }),
    ...(choose && { choose: choose.map((one) => ({ ...one, ...(one.when && { when: on(one.when) }) })) }),
    ...(of && { of: of.map((one) => (typeof one === 'string' ? inColumnPath(one, repeat, rename) : one)) }),
    ...(rows_when &&
      of?.[0] === repeat && { rows_when: conditionWith(rows_when, (path) => inPath(path, rename)) }),
  }
}

function inColumnPath(path: string, repeat: string, rename: Rename): string {
  const [head, column, ...rest] = path.split('.')
  return head === repeat && column !== undefined ? [head, rename(column), ...rest].join('.') : path
}

/** Renames the columns in conditions on the rows of a repeat. */
function ofRows(when: When, repeat: string, rename: Rename): When {
  const inRow = (one: When) => conditionWith(one, (path) => inPath(path, rename))
  const entries = Object.entries(when).map(([path, test]) => {
    if (path === 'any') return [path, (test as When[]).map((one) => ofRows(one, repeat, rename))]
    if (path !== repeat || !isPlainObject(test)) return [path, test as Test]
    const keys = Object.entries(test).map(([key, one]) => [
      key,
      ['any_row', 'every_row', 'count_rows'].includes(key) ? inRow(one as When) : one,
    ])
    return [path, Object.fromEntries(keys)]
  })
  return Object.fromEntries(entries) as When
}

/** A test names a column with the index of its row: 'repeat.0.column'. */
function inTest(test: FormTest, repeat: string, rename: Rename): FormTest {
  const path = (one: string) => {
    const [head, index, column, ...rest] = one.split('.')
    return head === repeat && column !== undefined ? [head, index, rename(column), ...rest].join('.') : one
  }
  const { visible, hidden, required, errors, calculated, ...others } = test.expect
  const keys = <V>(values: Record<string, V>) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [path(key), value]))
  const rows = (values: Values): Values =>
    Array.isArray(values[repeat])
      ? {
          ...values,
          [repeat]: values[repeat].map((row) => (isPlainObject(row) ? renamedKeys(row, rename) : row)),
        }
      : values
  return {
    ...test,
    given: rows(test.given),
    expect: {
      ...others,
      ...(visible && { visible: visible.map(path) }),
      ...(hidden && { hidden: hidden.map(path) }),
      ...(required && { required: required.map(path) }),
      ...(errors && { errors: keys(errors) }),
      ...(calculated && { calculated: keys(calculated) }),
    },
  }
}

function renamedKeys(row: Values, rename: Rename): Values {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [rename(name), value]))
}
