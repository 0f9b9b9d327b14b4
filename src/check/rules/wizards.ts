import type { Contract } from '../../contract/contract.ts'
import type { Existing, FormScreen, MadeFrom, Step, WizardScreen } from '../../contract/generated.ts'
import { kindOfValue } from '../../contract/valueProblem.ts'
import type { Path, Report } from '../files/report.ts'
import { checkActions } from './actions.ts'
import { checkLink, paramsOf } from './addresses.ts'
import { checkCall } from './calls.ts'
import { checkField, propertyAt, type Shape, shapeOfCall, userShape } from './fields.ts'
import { ANYTHING, checkWhen, type Reach } from './paths.ts'
import { checkPlaceholders } from './placeholders.ts'
import { checkSections } from './sections.ts'
import { bodyOfCall, checkValues } from './values.ts'
import { checkWith } from './withs.ts'

/** Kinds of the calls by which a step of a wizard finds an existing record. */
const EXISTING = { search: 'list', read: 'read', likely: 'list' } as const

/** Reports unknown names in the steps of a wizard. */
export function checkWizard(contract: Contract, screen: WizardScreen, report: Report): void {
  const { save, steps } = screen
  const roles = screen.roles ?? 'staff'
  const params = paramsOf(screen)
  checkCall(contract, save, { kind: 'change', filling: { params }, roles }, ['save'], report)
  checkActions(contract, screen.toolbar, { params }, ['toolbar'], report)
  const roots: Reach = { user: userShape(contract), query: ANYTHING, form: wizardShape(contract, screen) }
  const withs = checkWith(contract, screen.with, roots, roles, report, screen)
  const body = bodyOfCall(contract, save)
  for (const [i, step] of steps.entries()) {
    if (step.at !== undefined) checkField(body, step.at.split('.')[0], ['steps', i, 'at'], report)
    const because = step.existing?.because
    if (because !== undefined) checkField(body, because, ['steps', i, 'existing', 'because'], report)
    const own = step.entity
      ? { name: step.entity, fields: contract.entities[step.entity]?.properties }
      : undefined
    for (const [j, field] of (step.fields ?? []).entries())
      checkField(own, field, ['steps', i, 'fields', j], report)
    checkSections(contract, step.groups, own, { ...roots, with: withs }, ['steps', i, 'groups'], report)
    const before = steps.findIndex(({ id }) => id === step.id)
    if (before < i) report(['steps', i, 'id'], `'${step.id}' is already the id of step ${before + 1}`)
    if (screen.onePage && step.existing && i > 0)
      report(['steps', i, 'existing'], 'on one page only the first step can offer an existing record')
    if (step.existing) checkExisting(contract, step.existing, own, roles, ['steps', i, 'existing'], report)
    const isFound = ({ id, existing }: Step) => id === step.finds && existing?.box !== undefined
    if (step.finds && !steps.slice(i + 1).some(isFound))
      report(['steps', i, 'finds'], 'must be the id of a later step whose existing record has a box')
  }
  checkValues(contract, save, screen.values, { params }, ['values'], report)
  if (screen.madeFrom) checkMadeFrom(contract, screen.madeFrom, { roles, isOnePage: screen.onePage }, report)
  checkPlaceholders(screen.title, { params }, ['title'], report)
  checkWhen(screen.saved?.when, { ...roots, with: withs }, ['saved', 'when'], report)
  const saved = { params, records: [shapeOfCall(contract, save)] }
  checkLink(contract, screen.then, saved, ['then'], report)
  for (const [i, part] of (screen.done ?? []).entries()) checkPlaceholders(part, saved, ['done', i], report)
}

/** Reports calls that find no records, and fields that neither found records nor new ones have. */
function checkExisting(
  contract: Contract,
  existing: Existing,
  own: Shape | undefined,
  roles: string | string[],
  at: Path,
  report: Report,
): void {
  const { search, likely, ask, name = [], details = [], box } = existing
  for (const [key, kind] of Object.entries(EXISTING))
    checkCall(contract, existing[key as keyof typeof EXISTING], { kind, roles }, [...at, key], report)
  checkCall(contract, ask, { kind: 'change', filling: { params: ['id'] }, roles }, [...at, 'ask'], report)
  const found = shapeOfCall(contract, search)
  const alike = shapeOfCall(contract, likely)
  // Results of the search and likely duplicates share one look, and each has the fields that its call replies.
  const fields = found?.fields && { ...alike?.fields, ...found.fields }
  const row = fields && { name: `what ${search} finds`, fields }
  for (const key of ['marks', 'reasons', 'certainty', 'contact'] as const)
    if (existing[key]) checkField(row, existing[key], [...at, key], report)
  for (const [key, names] of Object.entries({ name, details }))
    for (const [i, field] of names.entries()) checkField(row, field, [...at, key, i], report)
  for (const [part, field] of Object.entries(box?.fills ?? {}))
    checkFilled(own, part, field, [...at, 'box', 'fills', part], report)
  checkLink(contract, box?.advanced, {}, [...at, 'box', 'advanced'], report)
  if (existing.has) checkHas(contract, existing, [...at, 'has'], report)
}

/** A search fills a date of birth into a date, and its other parts into texts. */
function checkFilled(own: Shape | undefined, part: string, field: string, at: Path, report: Report): void {
  checkField(own, field, at, report)
  const property = own && propertyAt(own, [field])
  const kind = part === 'born' ? 'date' : 'text'
  if (property && kindOfValue(property) !== kind)
    report(at, `'${part}' fills in a ${kind}, and '${field}' is not one`)
}

/** Reports a record beside a form whose screen has no room or no call to read it, and a field that no draft has. */
function checkMadeFrom(
  contract: Contract,
  { screen: name, draft }: MadeFrom,
  { roles, isOnePage }: { roles: string | string[]; isOnePage?: true },
  report: Report,
): void {
  const at = ['madeFrom', 'screen']
  if (!isOnePage) report(['madeFrom'], 'there is room beside a form on one page only: set "onePage"')
  const screen = checkReads(contract, name, at, report)
  if (screen)
    checkCall(contract, screen.read, { kind: 'read', filling: { params: ['id'] }, roles }, at, report)
  checkField(
    { name: 'draft', fields: contract.entities.draft?.properties },
    draft,
    ['madeFrom', 'draft'],
    report,
  )
}

/** The form screen of a name, if there is one; reports a screen that shows no record. */
export function checkReads(
  { screens }: Contract,
  name: string,
  at: Path,
  report: Report,
): FormScreen | undefined {
  const screen = screens[name]
  if (screen && (screen.kind !== 'form' || !screen.read))
    report(at, `'${name}' is not a form that reads a record`)
  return screen?.kind === 'form' ? screen : undefined
}

/** What a wizard fills in: the fields of each step's entity, below the key of the step if it has one. */
function wizardShape({ entities }: Contract, { steps }: WizardScreen): Shape {
  const isKnown = steps.every(({ entity }) => entity)
  const parts = steps.map(({ at, entity, title }) => {
    const columns = entities[entity ?? '']?.properties
    return at ? { [at]: { title, columns } } : columns
  })
  return { name: 'the form', fields: isKnown ? Object.assign({}, ...parts) : undefined }
}

/** Reports a list that the selected record does not have, and values in its texts that its items do not have. */
function checkHas(contract: Contract, { read, has }: Existing, at: Path, report: Report): void {
  const { field, name, link, add } = has!
  const record = shapeOfCall(contract, read)
  checkField(record, field, [...at, 'field'], report)
  const fields = record?.fields?.[field]?.columns
  if (record?.fields?.[field] && !fields) report([...at, 'field'], `'${field}' is not a list of records`)
  const filling = { records: [{ name: field, fields }] }
  checkPlaceholders(name, filling, [...at, 'name'], report)
  checkLink(contract, link, filling, [...at, 'link'], report)
  checkPlaceholders(add?.label, filling, [...at, 'add', 'label'], report)
  checkLink(contract, add?.link, filling, [...at, 'add', 'link'], report)
}
