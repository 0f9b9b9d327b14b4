import { callOf, parametersOf, partsOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type {
  CompareScreen,
  DetailScreen,
  PaperScreen,
  Screen,
  SearchScreen,
  UploadScreen,
} from '../../contract/generated.ts'
import { suggest } from '../../contract/suggest.ts'
import { valueProblem } from '../../contract/valueProblem.ts'
import type { Report } from '../files/report.ts'
import { checkActions } from './actions.ts'
import { checkLink, checkTitle, paramsOf } from './addresses.ts'
import { checkAside, checkCards } from './aside.ts'
import { checkAssign } from './assign.ts'
import { checkCall } from './calls.ts'
import { checkColumns } from './cells.ts'
import { checkEndings } from './endings.ts'
import { checkField, type Shape, shapeOfCall } from './fields.ts'
import { checkForm, checkPublicForm } from './forms.ts'
import { checkList, checkReport } from './lists.ts'
import { ANYTHING, checkPath, checkWhen } from './paths.ts'
import { checkPlaceholders } from './placeholders.ts'
import { routeProblem } from './sameAddress.ts'
import { checkValues } from './values.ts'
import { checkWizard } from './wizards.ts'

/** Reports names in a screen that the contract does not have. */
export function checkScreen(contract: Contract, name: string, report: Report): void {
  const screen = contract.screens[name]
  const parts = partsOf(screen.route)
  const taken = routeProblem(contract, name)
  if (taken) report(['route'], taken)
  if (new Set(parts).size < parts.length) report(['route'], 'names a parameter twice')
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

/** Reports fixed values of path parameters that no call of the screen takes. */
function checkFixedParams(contract: Contract, screen: Screen, report: Report): void {
  if (!('fixedParams' in screen)) return
  const text = JSON.stringify(screen)
  const calls = Object.entries(contract.endpoints).filter(([name]) => text.includes(`"${name}"`))
  for (const [name, value] of Object.entries(screen.fixedParams ?? {})) {
    const taking = calls.filter(([, endpoint]) => partsOf(callOf(endpoint).path).includes(name))
    if (taking.length === 0)
      report(['fixedParams', name], `no call of this screen has '{${name}}' in its path`)
    for (const [call, { parts }] of taking) {
      const known: string[] | undefined = parts?.[name]
      if (known && !known.includes(value)) {
        report(['fixedParams', name], `${call} takes no '${value}' as '{${name}}'${suggest(value, known)}`)
        break
      }
    }
  }
}

/** Reports a kind of draft that no draft has. */
function checkDraft({ entities }: Contract, screen: Screen, report: Report): void {
  const kind = entities.draft?.properties.kind
  const problem = 'draft' in screen && screen.draft && kind && valueProblem('kind', kind, screen.draft)
  if (problem) report(['draft'], problem)
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
