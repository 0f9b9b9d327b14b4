import type { Contract } from '../../contract/contract.ts'
import type { FormScreen, PublicFormScreen } from '../../contract/generated.ts'
import type { Report } from '../files/report.ts'
import { checkActions } from './actions.ts'
import { checkLink, checkTitle, paramsOf } from './addresses.ts'
import { checkCall } from './calls.ts'
import { checkField, propertyAt, shapeOfCall, userShape } from './fields.ts'
import { initialIdProblem } from './idKinds.ts'
import { isSidePanelForm } from './isSidePanelForm.ts'
import { ANYTHING, checkPath, type Reach } from './paths.ts'
import { checkPlaceholders } from './placeholders.ts'
import { checkSections } from './sections.ts'
import { checkWith } from './withs.ts'
import { checkReads } from './wizards.ts'

/** Reports names in a form screen that the contract does not have. */
export function checkForm(contract: Contract, screen: FormScreen, report: Report): void {
  const { read, save, initialValues = {} } = screen
  const roles = screen.roles ?? 'staff'
  const params = paramsOf(screen)
  const needed = { filling: { params }, mayBeFixed: true }
  const record = shapeOfCall(contract, read)
  const own = record ?? shapeOfCall(contract, save)
  const roots: Reach = { user: userShape(contract), query: ANYTHING, ...(record && { record }) }
  checkCall(contract, read, { kind: 'read', ...needed, roles }, ['read'], report)
  // People who may read but not save see the record read-only.
  checkCall(contract, save, { kind: 'change', ...needed, ...(!read && { roles }) }, ['save'], report)
  if (screen.saveText?.to)
    checkField(shapeOfCall(contract, save), screen.saveText.to, ['saveText', 'to'], report)
  if (screen.preview) {
    const { call, screen: shown } = screen.preview
    checkCall(contract, call, { kind: 'change', filling: { params }, roles }, ['preview', 'call'], report)
    checkReads(contract, shown, ['preview', 'screen'], report)
  }
  for (const [key, call, kind] of [
    ['hiddenAnswers', 'read', 'read'],
    ['hiddenAnswers', 'remove', 'change'],
    ['seenAnswers', 'latest', 'change'],
  ] as const) {
    const name = (screen[key] as Record<string, string> | undefined)?.[call]
    checkCall(contract, name, { kind }, [key, call], report)
  }
  if (screen.effects) checkEffects(contract, screen, params, report)
  const withs = checkWith(contract, screen.with, roots, roles, report, screen)
  const reach = { ...roots, form: own ?? ANYTHING, with: withs }
  for (const [field, path] of Object.entries(initialValues)) {
    checkField(own, field, ['initialValues', field], report)
    checkPath(path, reach, ['initialValues', field], report)
    const property = own && propertyAt(own, [field])
    const wrongId = property && initialIdProblem(contract, field, property, path)
    if (wrongId) report(['initialValues', field], wrongId)
  }
  checkSections(contract, screen.groups, own, reach, ['groups'], report)
  checkTitle(contract, screen, { params, records: [record], with: withs }, report)
  const saved = { params, records: [shapeOfCall(contract, save)] }
  checkLink(contract, screen.then, saved, ['then'], report)
  for (const [i, part] of (screen.done ?? []).entries()) checkPlaceholders(part, saved, ['done', i], report)
  checkActions(contract, screen.actions, { params, record }, ['actions'], report)
  const full = screen.allFields && contract.screens[screen.allFields]
  if (full && !(isSidePanelForm(full) && full.save === save))
    report(['allFields'], `'${screen.allFields}' is not a form of a new record saved by ${save}`)
}

/** Reports names in a form for people without an account that the contract does not have. */
export function checkPublicForm(contract: Contract, screen: PublicFormScreen, report: Report): void {
  const { read, save, entity, steps, at, areaField, honeypot } = screen
  const params = paramsOf(screen)
  const shape = { name: entity, fields: contract.entities[entity]?.properties }
  for (const [key, call, kind] of [
    ['read', read, 'read'],
    ['save', save, 'change'],
  ] as const) {
    checkCall(contract, call, { kind, filling: { params } }, [key], report)
    if (contract.endpoints[call] && contract.endpoints[call].roles !== 'public')
      report([key], `${call} is not public`)
  }
  for (const [i, { id, fields }] of steps.entries()) {
    for (const [j, field] of fields.entries()) checkField(shape, field, ['steps', i, 'fields', j], report)
    const before = steps.findIndex((step) => step.id === id)
    if (before < i) report(['steps', i, 'id'], `'${id}' is already the id of step ${before + 1}`)
  }
  checkField(shape, at, ['at'], report)
  if (areaField) checkField(shape, areaField, ['areaField'], report)
  if (honeypot) checkField(shape, honeypot, ['honeypot'], report)
  checkPlaceholders(screen.sent, { params, records: [shapeOfCall(contract, save)] }, ['sent'], report)
  checkLink(contract, screen.sent.split('#')[0], { params }, ['sent'], report)
}

/** Everybody who may save is shown the effects before, by a call that saves nothing itself. */
function checkEffects(
  contract: Contract,
  { save, effects, roles = 'staff' }: FormScreen,
  params: string[],
  report: Report,
): void {
  const { call } = effects!
  const at = ['effects', 'call']
  if (!save) report(['effects'], "asks before saving, but the screen has no 'save'")
  const savers = contract.endpoints[save ?? '']?.roles ?? roles
  checkCall(contract, call, { kind: 'change', filling: { params }, roles: savers }, at, report)
  const touches = contract.endpoints[call]?.touches
  if (touches?.length === 0) checkField(shapeOfCall(contract, call), 'label', at, report)
  else if (contract.endpoints[call]) report(at, `${call} may save something: write "touches": [] into it`)
}
