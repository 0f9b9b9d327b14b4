import { parametersOf, partsOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type {
  CompareScreen,
  DetailScreen,
  FormScreen,
  PaperScreen,
  PublicFormScreen,
  Screen,
  SearchScreen,
  UploadScreen,
} from '../../contract/generated.ts'
import { suggest } from '../../contract/suggest.ts'
import type { Report } from '../files/report.ts'
import { checkActions } from './actions.ts'
import { checkLink, checkTitle, paramsOf } from './addresses.ts'
import { checkAside, checkCards } from './aside.ts'
import { checkAssign } from './assign.ts'
import { checkCall } from './calls.ts'
import { checkColumns } from './cells.ts'
import { checkEndings } from './endings.ts'
import { checkField, propertyAt, type Shape, shapeOfCall, userShape } from './fields.ts'
import { initialIdProblem } from './idKinds.ts'
import { isBesideForm } from './isBesideForm.ts'
import { checkList, checkReport } from './lists.ts'
import { ANYTHING, checkPath, checkWhen, type Reach } from './paths.ts'
import { checkPlaceholders } from './placeholders.ts'
import { checkDraft, checkFixedParams } from './replies.ts'
import { routeProblem } from './sameAddress.ts'
import { checkSections } from './sections.ts'
import { checkValues } from './values.ts'
import { checkWith } from './withs.ts'
import { checkReads, checkWizard } from './wizards.ts'

/** Reports names in a screen that the contract does not have. */
export function checkScreen(contract: Contract, name: string, report: Report): void {
  const screen = contract.screens[name]
  const parts = partsOf(screen.route)
  const taken = routeProblem(contract, name)
  if (taken) report(['route'], taken)
  if (new Set(parts).size < parts.length) report(['route'], 'names a part twice')
  checkFixedParams(contract, screen, report)
  checkDraft(contract, screen, report)
  BY_KIND[screen.kind](contract, screen as never, report)
}

const BY_KIND: Record<Screen['kind'], (contract: Contract, screen: never, report: Report) => void> = {
  list: checkList,
  report: checkReport,
  form: checkForm,
  detail: checkDetail,
  wizard: checkWizard,
  search: checkSearch,
  assign: checkAssign,
  upload: checkUpload,
  publicForm: checkPublicForm,
  paper: checkPaper,
  compare: checkCompare,
  custom: () => undefined,
}

function checkForm(contract: Contract, screen: FormScreen, report: Report): void {
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
  if (full && !(isBesideForm(full) && full.save === save))
    report(['allFields'], `'${screen.allFields}' is not a form of a new record saved by ${save}`)
}

/** Everybody who saves is told the effects first, by a call that saves nothing itself. */
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

function checkOpenWork(
  contract: Contract,
  { openWork, roles = 'staff' }: DetailScreen,
  record: Shape | undefined,
  report: Report,
): void {
  if (!openWork) return
  const { when, read, id, columns, actions } = openWork
  const at = ['openWork']
  checkWhen(when, { record: record ?? ANYTHING }, [...at, 'when'], report)
  checkCall(
    contract,
    read,
    { kind: 'list', filling: { params: ['id'] }, roles, isPaged: true },
    [...at, 'read'],
    report,
  )
  checkPath(id, { record: record ?? ANYTHING }, [...at, 'id'], report)
  const row = shapeOfCall(contract, read)
  checkColumns(contract, columns, { params: [], record: row }, [...at, 'columns'], report)
  checkActions(contract, actions, { params: [], record: row }, [...at, 'actions'], report)
}

function checkDetail(contract: Contract, screen: DetailScreen, report: Report): void {
  const { read, facts = [], banner, route, tabs } = screen
  const roles = screen.roles ?? 'staff'
  const params = paramsOf(screen)
  const record = shapeOfCall(contract, read)
  checkCall(contract, read, { kind: 'read', filling: { params }, roles }, ['read'], report)
  checkColumns(contract, facts, { params, record }, ['facts'], report)
  for (const [i, tag] of (screen.tags ?? []).entries()) checkField(record, tag, ['tags', i], report)
  if (banner) {
    const ofBanner = { params: ['id'] }
    checkCall(
      contract,
      banner.read,
      { kind: 'list', filling: ofBanner, roles, isPaged: true },
      ['banner', 'read'],
      report,
    )
    checkPath(banner.id, { record }, ['banner', 'id'], report)
    const alert = shapeOfCall(contract, banner.read)
    checkLink(contract, banner.link, { records: [alert] }, ['banner', 'link'], report)
  }
  checkOpenWork(contract, screen, record, report)
  for (const [i, tab] of tabs.entries()) {
    // React Router refuses a child route whose path does not begin with that of its parent.
    if (!contract.screens[tab].route.startsWith(`${route}/`))
      report(['tabs', i], `the address of tab '${tab}' must begin with '${route}/'`)
  }
  checkAside(contract, screen, record, params, report)
  checkCards(contract, screen, params, report)
  if (screen.progress) {
    const { read: readProgress, when } = screen.progress
    checkCall(
      contract,
      readProgress,
      { kind: 'read', filling: { params }, roles },
      ['progress', 'read'],
      report,
    )
    checkWhen(when, { record: record ?? ANYTHING }, ['progress', 'when'], report)
  }
  if (screen.opened) {
    const { call, id, values, when } = screen.opened
    const filling = { params: ['id'] }
    checkCall(contract, call, { kind: 'change', filling, roles }, ['opened', 'call'], report)
    checkValues(contract, call, values, {}, ['opened', 'values'], report)
    checkPath(id, { record: record ?? ANYTHING }, ['opened', 'id'], report)
    checkWhen(when, { record: record ?? ANYTHING }, ['opened', 'when'], report)
  }
  checkTitle(contract, screen, { params, records: [record] }, report)
  checkActions(contract, screen.actions, { params, record }, ['actions'], report)
}

function checkCompare(contract: Contract, screen: CompareScreen, report: Report): void {
  const { read, save, rows, sections, done, button, note, actions, tag, about } = screen
  const roles = screen.roles ?? 'staff'
  const params = paramsOf(screen)
  const record = shapeOfCall(contract, read)
  checkCall(contract, read, { kind: 'read', filling: { params }, roles }, ['read'], report)
  checkCall(contract, save, { kind: 'change', filling: { params }, roles }, ['save'], report)
  checkField(record, rows, ['rows'], report)
  if (tag) checkField(record, tag, ['tag'], report)
  const known = { params, records: [record] }
  for (const [key, text] of Object.entries({ button, note, done, about }))
    checkPlaceholders(text, known, [key], report)
  checkValues(contract, save, screen.values, known, ['values'], report)
  for (const side of ['mine', 'theirs'] as const)
    for (const key of ['title', 'about'] as const)
      checkPlaceholders(screen[side][key], known, [side, key], report)
  for (const [i, { title, field }] of sections.entries()) {
    checkPlaceholders(title, known, ['sections', i, 'title'], report)
    if (field) checkField(record, field, ['sections', i, 'field'], report)
  }
  for (const key of ['then', 'swap'] as const) checkLink(contract, screen[key], known, [key], report)
  checkTitle(contract, screen, known, report)
  checkActions(contract, actions, { params, record }, ['actions'], report)
}

function checkUpload(contract: Contract, screen: UploadScreen, report: Report): void {
  const { upload, template, then, thenAll } = screen
  const roles = screen.roles ?? 'staff'
  const params = paramsOf(screen)
  checkCall(contract, upload, { kind: 'change', filling: { params }, roles }, ['upload'], report)
  const { body } = contract.endpoints[upload] ?? {}
  const shape = { name: body ?? upload, fields: (body && contract.bodies[body]?.properties) || {} }
  for (const [i, field] of (screen.fields ?? []).entries()) checkField(shape, field, ['fields', i], report)
  checkEndings(screen.accept, ['accept'], report)
  checkValues(contract, upload, screen.values, { params }, ['values'], report)
  if (template) {
    const known = Object.keys(parametersOf(contract, contract.endpoints[template.call]))
    checkCall(
      contract,
      template.call,
      { kind: 'read', filling: { params }, roles },
      ['template', 'call'],
      report,
    )
    for (const [name, field] of Object.entries(template.query ?? {})) {
      const at = ['template', 'query', name]
      if (!known.includes(name))
        report(at, `${template.call} has no parameter '${name}'${suggest(name, known)}`)
      else checkField(shape, field, at, report)
    }
  }
  const sent = { params, records: [shapeOfCall(contract, upload)] }
  checkLink(contract, then, sent, ['then'], report)
  checkLink(contract, thenAll, { params }, ['thenAll'], report)
  checkTitle(contract, screen, { params }, report)
}

function checkPublicForm(contract: Contract, screen: PublicFormScreen, report: Report): void {
  const { read, save, entity, steps, at, areaField, trap } = screen
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
  if (trap) checkField(shape, trap, ['trap'], report)
  checkPlaceholders(screen.sent, { params, records: [shapeOfCall(contract, save)] }, ['sent'], report)
  checkLink(contract, screen.sent.split('#')[0], { params }, ['sent'], report)
}

function checkPaper(
  contract: Contract,
  { read, name, about, forms, roles }: PaperScreen,
  report: Report,
): void {
  const record = shapeOfCall(contract, read)
  const filling = { params: ['id'] }
  checkCall(contract, read, { kind: 'read', filling, roles: roles ?? 'staff' }, ['read'], report)
  checkPlaceholders(name, { records: [record] }, ['name'], report)
  checkPlaceholders(about, { records: [record] }, ['about'], report)
  for (const [i, { from }] of forms.entries()) checkField(record, from, ['forms', i, 'from'], report)
}

function checkSearch({ screens }: Contract, { tabs }: SearchScreen, report: Report): void {
  for (const [i, name] of tabs.entries()) {
    const tab = screens[name]
    if (tab && tab.kind !== 'list' && tab.kind !== 'report')
      report(['tabs', i], `'${name}' is not a list: its kind is ${tab.kind}`)
  }
}
