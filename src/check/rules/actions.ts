import { callOf, partsOf, verbOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Action } from '../../contract/generated.ts'
import { requestedFields } from '../../contract/requestedFields.ts'
import { suggest } from '../../contract/suggest.ts'
import type { Path, Report } from '../files/report.ts'
import { checkLink } from './addresses.ts'
import { checkCall } from './calls.ts'
import { checkEndings } from './endings.ts'
import { checkField, fieldProblem, type Shape, shapeOfCall, userShape } from './fields.ts'
import { idProblem } from './idKinds.ts'
import { isSidePanelForm } from './isSidePanelForm.ts'
import { ANYTHING, checkWhen, pathProblem } from './paths.ts'
import { checkPlaceholders } from './placeholders.ts'
import { bodyOfCall, checkValues } from './values.ts'

/** Context of buttons: the path parameters of the address, and the record of the page or row. */
export interface About {
  params: string[]
  record?: Shape
}

/** Reports buttons whose call, texts, addresses or condition cannot work, and dialogs that would be empty. */
export function checkActions(
  contract: Contract,
  actions: Action[] = [],
  about: About,
  at: Path,
  report: Report,
): void {
  for (const [i, action] of actions.entries()) checkAction(contract, action, about, [...at, i], report)
}

export function checkAction(
  contract: Contract,
  action: Action,
  about: About,
  at: Path,
  report: Report,
): void {
  const { params: inAddress, record } = about
  const { call, undo, check, explains, upload, download, form, formCall, values, offer } = action
  checkBehaviour(action, at, report)
  checkEndings(action.accept, [...at, 'accept'], report)
  checkParams(contract, action, at, report)
  for (const [part, field] of Object.entries(action.params ?? {}))
    checkField(record, field, [...at, 'params', part], report)
  const params = [...inAddress, ...Object.keys(action.params ?? {})]
  const filling = { params, records: [record] }
  const answered = { params, records: [record, shapeOfCall(contract, call ?? upload)] }
  const user = userShape(contract)
  checkCall(contract, call, { kind: 'change', filling }, [...at, 'call'], report)
  checkCall(contract, undo, { kind: 'change', filling }, [...at, 'undo'], report)
  checkCall(contract, upload, { kind: 'change', filling }, [...at, 'upload'], report)
  checkCall(contract, check, { kind: 'list', filling }, [...at, 'check'], report)
  checkCall(contract, explains, { kind: 'list', filling }, [...at, 'explains'], report)
  checkCall(contract, download, { kind: 'read', filling }, [...at, 'download'], report)
  checkCall(contract, formCall, { kind: 'read', filling }, [...at, 'formCall'], report)
  for (const key of CALLS) checkIds(contract, action, key, record, at, report)
  for (const key of ['label', 'title', 'confirm', 'typed'] as const)
    checkPlaceholders(action[key], filling, [...at, key], report)
  checkPlaceholders(action.done, answered, [...at, 'done'], report)
  checkLink(contract, action.to, filling, [...at, 'to'], report)
  checkLink(contract, action.then, answered, [...at, 'then'], report)
  checkWhen(action.when, { record: record ?? ANYTHING, user }, [...at, 'when'], report)
  checkWhen(action.confirmWhen, { record: record ?? ANYTHING, user }, [...at, 'confirmWhen'], report)
  checkValues(contract, call, values, filling, [...at, 'values'], report)
  checkFormLookups(contract, form, record, [...at, 'form'], report)
  const body = call === undefined ? undefined : bodyOfCall(contract, call)
  for (const name of Object.keys((form && contract.bodies[form]?.properties) ?? {}))
    checkField(body, name, [...at, 'form'], report)
  checkValues(contract, undo, action.undoValues, filling, [...at, 'undoValues'], report)
  const missing = missingFields(contract, action)
  if (missing.length > 0) report([...at, 'call'], missingProblem(call!, missing, "'form' or 'dialog'"))
  const missingUndo = missingUndoFields(contract, action)
  if (missingUndo.length > 0) report([...at, 'undo'], missingProblem(undo!, missingUndo))
  checkActions(contract, action.menu, about, [...at, 'menu'], report)
  checkLater(contract, action, about, [...at, 'later'], report)
  if (offer) checkAction(contract, offer, about, [...at, 'offer'], report)
  if (offer && !offer.sidePanel) report([...at, 'offer'], `'${offer.label}' opens no form beside the page`)
  for (const [name, text] of Object.entries(action.initialValues ?? {})) {
    const problem = initialValueProblem(contract, action, name)
    if (problem) report([...at, 'initialValues', name], problem)
    checkPlaceholders(text, filling, [...at, 'initialValues', name], report)
  }
  const sidePanelProblem = action.sidePanel && problemOfSidePanel(contract, action)
  if (sidePanelProblem) report([...at, 'sidePanel'], sidePanelProblem)
  const problem = action.dialog && dialogProblem(contract, action)
  if (problem) report([...at, 'dialog'], problem)
}

/** The keys of an action that name a call about its record. */
const CALLS = ['call', 'undo', 'upload', 'check', 'explains', 'download', 'formCall'] as const

/** The keys of an action of which it has exactly one: what it does. */
const BEHAVIOURS = ['call', 'to', 'sidePanel', 'menu', 'upload', 'download', 'print', 'explains'] as const

/** Reports a button that does nothing, or two things at once. */
function checkBehaviour(action: Action, at: Path, report: Report): void {
  const [first, second] = BEHAVIOURS.filter((key) => action[key] !== undefined)
  // `later` and `dialog` need a call, which their own checks ask for.
  if ((action.later || action.dialog) && !first) return
  if (!first) report(at, `'${action.label}' does nothing: give it one of ${BEHAVIOURS.join(', ')}`)
  else if (second)
    report([...at, second], `'${action.label}' has '${first}' already: a button does one thing`)
}

/** Reports parameters that neither a call of the action nor a text of it takes. */
function checkParams(contract: Contract, action: Action, at: Path, report: Report): void {
  const { params = {}, ...others } = action
  const parts = CALLS.flatMap((key) => {
    const endpoint = contract.endpoints[action[key] ?? '']
    return endpoint ? partsOf(callOf(endpoint).path) : []
  })
  const known = [...new Set([...parts, ...partsOf(JSON.stringify(others))])]
  for (const name of Object.keys(params))
    if (!known.includes(name))
      report([...at, 'params', name], `nothing here takes '{${name}}'${suggest(name, known)}`)
}

/** Reports a call whose path takes the id of another entity than the record's field is. */
function checkIds(
  contract: Contract,
  action: Action,
  key: (typeof CALLS)[number],
  record: Shape | undefined,
  at: Path,
  report: Report,
): void {
  const endpoint = contract.endpoints[action[key] ?? '']
  if (!endpoint) return
  const { path } = callOf(endpoint)
  for (const part of partsOf(path)) {
    const mapped = action.params?.[part]
    const problem = idProblem(contract, path, part, mapped ?? part, [record])
    if (problem) report(mapped ? [...at, 'params', part] : [...at, key], problem)
  }
}

/** Reports lookups of an action's form that are narrowed by a field which the record does not have. */
function checkFormLookups(
  { bodies }: Contract,
  form: string | undefined,
  record: Shape | undefined,
  at: Path,
  report: Report,
): void {
  if (!form || !record) return
  for (const [name, { lookup_params = {} }] of Object.entries(bodies[form]?.properties ?? {})) {
    for (const value of Object.values(lookup_params)) {
      const path = typeof value === 'string' && value.startsWith('$record.') ? value.slice(1) : undefined
      const problem = path && pathProblem(path, { record })
      if (problem) report(at, `'${name}' of '${form}' is narrowed by '${path}': ${problem}`)
    }
  }
}

/** Checks `later`: the call of the action must accept the day, and the record must have the field. */
function checkLater(contract: Contract, action: Action, about: About, at: Path, report: Report): void {
  const { later, call, done, label } = action
  if (!later) return
  if (!call || !done) {
    report(at, `'${label}' offers later days, but has no 'call' or 'done' for them`)
    return
  }
  checkField(about.record, later.field, [...at, 'field'], report)
  const problem = fieldProblem(bodyOfCall(contract, call) as Shape, [later.value])
  if (problem) report([...at, 'value'], problem)
}

/** The required fields of an action's call that neither its values nor its dialog give. */
function missingFields(contract: Contract, action: Action): string[] {
  const { call, form, formCall, dialog, values = {}, later } = action
  // Only the reply of `formCall` tells which fields its dialog has.
  if (!call || formCall) return []
  const endpoint = contract.endpoints[call]
  const entity = contract.entities[endpoint.reply ?? verbOf(endpoint)?.entity ?? '']
  const requested = dialog && entity ? requestedFields(entity, endpoint, values).map(({ name }) => name) : []
  const given = new Set([
    ...Object.keys(values),
    ...Object.keys((form && contract.bodies[form]?.properties) ?? {}),
    ...requested,
    ...(later ? [later.value] : []),
  ])
  return requiredBy(contract, call).filter((name) => !given.has(name))
}

/** The fields that the body of a call must have; none if only its handler knows them. */
function requiredBy({ bodies, entities, endpoints }: Contract, call: string): string[] {
  const endpoint = endpoints[call]
  if (endpoint.body) return bodies[endpoint.body]?.required ?? []
  const verb = verbOf(endpoint)
  const created = callOf(endpoint).method === 'POST' ? endpoint.writes : undefined
  const entity = created ?? (verb?.verb === 'create' ? verb.entity : undefined)
  return (entity ? (entities[entity]?.required ?? []) : []).filter((name) => name !== endpoint.by)
}

/** `missingFields` for `undo`, whose body is the `undo` of the first call's reply if there is one. */
function missingUndoFields(contract: Contract, { call, undo, undoValues = {} }: Action): string[] {
  const reply = shapeOfCall(contract, call)?.fields
  if (!undo || !reply || Object.hasOwn(reply, 'undo')) return []
  return requiredBy(contract, undo).filter((name) => !(name in undoValues))
}

function missingProblem(call: string, missing: string[], others?: string): string {
  const names = missing.map((name) => `'${name}'`).join(' and ')
  const pronoun = missing.length > 1 ? 'them' : 'it'
  return others
    ? `${call} needs ${names}: write ${pronoun} into 'values', or ask for ${pronoun} with ${others}`
    : `${call} needs ${names}: write ${pronoun} into 'undoValues'`
}

/** Error of `sidePanel`, which must name a form of a new record that accepts every value of the action. */
function problemOfSidePanel(contract: Contract, { sidePanel, values = {} }: Action): string | undefined {
  const screen = contract.screens[sidePanel!]
  if (!isSidePanelForm(screen))
    return `'${sidePanel}' is not a form of a new record without parts in its address`
  const taken = Object.values(screen.initialValues ?? {})
  const unknown = Object.keys(values).find((name) => !taken.includes(`query.${name}`))
  return unknown && `'${sidePanel}' takes no 'query.${unknown}' among its initialValues`
}

/** Error of an initial value that an action passes to its form, in a dialog or beside the page. */
function initialValueProblem(
  contract: Contract,
  { sidePanel, form, label }: Action,
  name: string,
): string | undefined {
  if (form) return fieldProblem({ name: form, fields: contract.bodies[form]?.properties }, [name])
  const screen = sidePanel && contract.screens[sidePanel]
  if (!screen) return `'${label}' opens no form`
  const shape = isSidePanelForm(screen) ? shapeOfCall(contract, screen.save) : undefined
  return shape && fieldProblem(shape, [name])
}

function dialogProblem(contract: Contract, { call, label, values }: Action): string | undefined {
  if (!call) return `'${label}' opens a dialog, but has no call to fill in`
  const endpoint = contract.endpoints[call]
  const name = endpoint.reply ?? verbOf(endpoint)?.entity
  const entity = name === undefined ? undefined : contract.entities[name]
  if (!entity) return `'${label}' opens a dialog, but ${call} does not say for which entity`
  if (requestedFields(entity, endpoint, values).length > 0) return undefined
  return `'${label}' has nothing to fill in: ${call} takes no field of ${name}`
}
