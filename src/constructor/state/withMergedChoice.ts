import type { Automation, Deadline, Field, FieldAttrs, FormTest, Group } from '../../contract/generated.ts'
import type { MetaName } from '../../contract/meta/metaTypes.ts'
import { META_OF } from '../../contract/meta/recordFields.ts'
import { isPlainObject, type Test, type Values, type When } from '../../contract/when.ts'
import type { Address } from './address.ts'
import type { Draft } from './caseType.ts'
import { change } from './edit.ts'

/** A choice of a field of one form that becomes another one. */
interface MergedChoice {
  meta: MetaName
  name: string
  from: string | number
  into: string | number
}

type Replace = (when: When) => When

/** Replaces a merged choice in all parts of a draft that compare an answer with it, expect it or have it as default. */
export function withMergedChoice(draft: Draft, merged: MergedChoice): Draft {
  const { meta, name, from, into } = merged
  const ofCase = meta === 'case_meta' ? [`$case.${name}`] : []
  const at =
    (paths: string[]): Replace =>
    (when) =>
      replacedAt(when, new Set(paths), merged)
  const ofRecord = (of: Automation['of']) => at(META_OF[of] === meta ? [name] : ofCase)
  const form = (which: MetaName, paths: string[]) => draft[which].map((group) => inGroup(group, at(paths)))
  const own = form(meta, [name, `$last.${name}`]).map((group) => ({
    ...group,
    fields: group.fields.map((field) =>
      field.name === name && field.attrs?.default !== undefined && from === field.attrs.default
        ? { ...field, attrs: { ...field.attrs, default: into } }
        : field,
    ),
  }))
  return {
    ...draft,
    ...(meta === 'case_meta' && { issue_meta: form('issue_meta', ofCase) }),
    [meta]: own,
    tests: draft.tests.map((test) => inTest(test, merged)),
    automations: draft.automations.map((one) => ({ ...one, when: ofRecord(one.of)(one.when) })),
    deadlines: draft.deadlines.map((one) => inDeadline(one, ofRecord(one.of))),
  }
}

/** The same for a choice of a column at an address, which the conditions in and on its rows can name. */
export function withMergedColumnChoice(draft: Draft, merged: MergedChoice, address: Address): Draft {
  const { meta, name } = merged
  const repeat = address.at(-2)!
  const inRow: Replace = (when) => replacedAt(when, new Set([name]), merged)
  const onRows: Replace = (when) => {
    const entries = Object.entries(when).map(([path, test]) => {
      if (path === 'any') return [path, (test as When[]).map(onRows)]
      if (path !== repeat || !isPlainObject(test)) return [path, test as Test]
      const isOfRows = (key: string) => ['any_row', 'every_row', 'count_rows'].includes(key)
      return [
        path,
        Object.fromEntries(
          Object.entries(test).map(([key, one]) => [key, isOfRows(key) ? inRow(one as When) : one]),
        ),
      ]
    })
    return Object.fromEntries(entries) as When
  }
  const counting = (field: Field): Field => {
    const { attrs, fields } = field
    const isCounting = attrs?.rows_when && attrs.of?.[0] === repeat
    return {
      ...field,
      ...(isCounting && { attrs: { ...attrs, rows_when: inRow(attrs.rows_when!) } }),
      ...(fields && { fields: fields.map(counting) }),
    }
  }
  const groups = draft[meta]
    .map((group) => inGroup(group, onRows))
    .map((group) => ({ ...group, fields: group.fields.map(counting) }))
  const inOwnRows = change<Field>(groups, address.slice(0, -1), (field) => ({
    ...field,
    fields: field.fields?.map((column) => inField(column, inRow)),
  }))
  const isOwn = (of: Automation['of']) => META_OF[of] === meta
  return {
    ...draft,
    [meta]: inOwnRows,
    automations: draft.automations.map((one) => (isOwn(one.of) ? { ...one, when: onRows(one.when) } : one)),
    deadlines: draft.deadlines.map((one) => (isOwn(one.of) ? inDeadline(one, onRows) : one)),
  }
}

function replacedAt(when: When, paths: ReadonlySet<string>, { from, into }: MergedChoice): When {
  const replaced = (test: unknown): unknown => {
    if (Array.isArray(test)) return [...new Set(test.map(replaced))]
    if (isPlainObject(test))
      return Object.fromEntries(Object.entries(test).map(([key, one]) => [key, replaced(one)]))
    return test === from ? into : test
  }
  const inside = (one: When) => replacedAt(one, paths, { from, into } as MergedChoice)
  const entries = Object.entries(when).map(([path, test]) =>
    path === 'any'
      ? [path, (test as When[]).map(inside)]
      : [path, paths.has(path) ? replaced(test) : (test as Test)],
  )
  return Object.fromEntries(entries) as When
}

function inGroup(group: Group, replace: Replace): Group {
  const { attrs } = group
  return {
    ...group,
    ...(attrs?.when && { attrs: { ...attrs, when: replace(attrs.when) } }),
    fields: group.fields.map((field) => inField(field, replace)),
  }
}

/** The columns of a repeat shadow the names of the form's fields in its rows. */
function inField(field: Field, replace: Replace): Field {
  const columns = new Set(field.fields?.map(({ name }) => name))
  const inRows: Replace = (when) => {
    const now = replace(when)
    return Object.fromEntries(
      Object.entries(when).map(([path, test]) => [path, columns.has(path) ? test : now[path]]),
    ) as When
  }
  return {
    ...field,
    ...(field.attrs && { attrs: inAttrs(field.attrs, replace) }),
    ...(field.fields && { fields: field.fields.map((column) => inField(column, inRows)) }),
  }
}

function inAttrs(attrs: FieldAttrs, replace: Replace): FieldAttrs {
  const { when, required_when, checks, choose } = attrs
  return {
    ...attrs,
    ...(when && { when: replace(when) }),
    ...(required_when && { required_when: replace(required_when) }),
    ...(checks && { checks: checks.map((one) => ({ ...one, when: replace(one.when) })) }),
    ...(choose && {
      choose: choose.map((row) => ({ ...row, ...(row.when && { when: replace(row.when) }) })),
    }),
  }
}

function inTest(test: FormTest, { meta, name, from, into }: MergedChoice): FormTest {
  const value = (one: unknown): unknown =>
    Array.isArray(one) ? [...new Set(one.map(value))] : one === from ? into : one
  const values = (all: Values): Values => (name in all ? { ...all, [name]: value(all[name]) } : all)
  const isOwn = test.meta === meta
  const around = test.with
  const isOfCase = meta === 'case_meta' && test.meta === 'issue_meta'
  return {
    ...test,
    ...(isOwn && { given: values(test.given) }),
    ...(around && {
      with: {
        ...around,
        ...(isOwn && around.last && { last: values(around.last) }),
        ...(isOfCase && around.case && { case: values(around.case) }),
      },
    }),
  }
}

function inDeadline(deadline: Deadline, replace: Replace): Deadline {
  const { when, paused } = deadline
  return {
    ...deadline,
    ...(when && { when: replace(when) }),
    ...(paused && { paused: { ...paused, when: replace(paused.when) } }),
  }
}
