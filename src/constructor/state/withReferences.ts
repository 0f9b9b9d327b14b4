import { withFilledText } from '../../contract/automations/outcomes.ts'
import type { Automation, Deadline, Field, FormTest, Group, Outcome, Span } from '../../contract/generated.ts'
import type { MetaName } from '../../contract/meta/metaTypes.ts'
import { META_OF } from '../../contract/meta/recordFields.ts'
import type { Draft } from './caseType.ts'
import { conditionWith, inPath, inText, type Rename, withPaths } from './withPaths.ts'

const CASE_PATH = '$case.'

/** Renames the references to fields of one form in all parts of a draft; the fields themselves keep their names. */
export function withReferences(draft: Draft, meta: MetaName, rename: Rename): Draft {
  const renameOfCase: Rename = (path) =>
    path.startsWith(CASE_PATH) ? `${CASE_PATH}${rename(path.slice(CASE_PATH.length))}` : path
  return {
    ...draft,
    ...(meta === 'case_meta' && {
      issue_meta: draft.issue_meta.map((group) => inGroup(group, renameOfCase)),
    }),
    [meta]: draft[meta].map((group) => inGroup(group, rename)),
    tests: draft.tests.map((test) =>
      test.meta === meta ? inTest(test, rename) : meta === 'case_meta' ? inTestOfIssue(test, rename) : test,
    ),
    automations: draft.automations.map((one) => inAutomation(one, pathsOf(one.of, meta, rename))),
    deadlines: draft.deadlines.map((one) => inDeadline(one, pathsOf(one.of, meta, rename))),
  }
}

function inGroup(group: Group, rename: Rename): Group {
  return { ...withPaths(group, rename), fields: group.fields.map((field) => inField(field, rename)) }
}

/** The columns of a repeat shadow the names of the form's fields in its rows. */
export function inField(field: Field, rename: Rename): Field {
  const columns = new Set(field.fields?.map(({ name }) => name))
  const inRows = (name: string) => (columns.has(name) ? name : rename(name))
  return {
    ...withPaths(field, rename),
    ...(field.fields && { fields: field.fields.map((column) => inField(column, inRows)) }),
  }
}

/** Renames paths and texts of automations and deadlines, which reach the case's answers as $case.x. */
interface References {
  path: Rename
  text: (text: string) => string
}

function pathsOf(of: Automation['of'], meta: MetaName, rename: Rename): References {
  const isOwn = META_OF[of] === meta
  return {
    path: (path) => {
      if (!path.startsWith(CASE_PATH)) return isOwn ? inPath(path, rename) : path
      return meta === 'case_meta' ? `${CASE_PATH}${inPath(path.slice(CASE_PATH.length), rename)}` : path
    },
    text: (text) => (isOwn ? inText(text, rename) : text),
  }
}

function inAutomation(automation: Automation, references: References): Automation {
  return {
    ...automation,
    when: conditionWith(automation.when, references.path),
    then: automation.then.map((one) => withFilledText(one, references.text)) as [Outcome, ...Outcome[]],
  }
}

function inDeadline(deadline: Deadline, references: References): Deadline {
  const { path } = references
  const { from, at, until, within, every, warn, met_by, when, paused } = deadline
  const span = (one: Span): Span =>
    Object.fromEntries(
      Object.entries(one).map(([unit, amount]) => [unit, typeof amount === 'string' ? path(amount) : amount]),
    )
  return {
    ...deadline,
    ...(from && { from: path(from) }),
    ...(at && { at: path(at) }),
    ...(until && { until: path(until) }),
    ...(within && { within: span(within) }),
    ...(every && { every: span(every) }),
    ...(warn && { warn: span(warn) }),
    ...(met_by?.field && { met_by: { ...met_by, field: path(met_by.field) } }),
    ...(when && { when: conditionWith(when, path) }),
    ...(paused && { paused: { ...paused, when: conditionWith(paused.when, path) } }),
  }
}

function inTest(test: FormTest, rename: Rename): FormTest {
  const { visible, hidden, required, errors, calculated, ...others } = test.expect
  const names = (list: string[]) => list.map((path) => inPath(path, rename))
  return {
    ...test,
    given: inKeys(test.given, rename),
    ...(test.with?.last && { with: { ...test.with, last: inKeys(test.with.last, rename) } }),
    expect: {
      ...others,
      ...(visible && { visible: names(visible) }),
      ...(hidden && { hidden: names(hidden) }),
      ...(required && { required: names(required) }),
      ...(errors && { errors: inKeys(errors, rename) }),
      ...(calculated && { calculated: inKeys(calculated, rename) }),
    },
  }
}

/** A test of the form of issues says what the answers of the case are. */
function inTestOfIssue(test: FormTest, rename: Rename): FormTest {
  return test.with?.case ? { ...test, with: { ...test.with, case: inKeys(test.with.case, rename) } } : test
}

function inKeys<V>(values: Record<string, V>, rename: Rename): Record<string, V> {
  return Object.fromEntries(Object.entries(values).map(([path, value]) => [inPath(path, rename), value]))
}
