import { usesField } from '../automations/usesField.ts'
import { deadlineUsesField } from '../deadlines/deadlineUses.ts'
import { isQuestion } from '../fieldTypes.ts'
import type { Automation, Deadline, Field, FormTest, Group } from '../generated.ts'
import { isReserved } from '../meta/fieldUsage.ts'
import { isOn } from '../meta/impactPlaces.ts'
import type { MetaName, Metas } from '../meta/metaTypes.ts'
import { pluralise } from '../pluralise.ts'
import { quoted } from '../quoted.ts'

/** What refers to the fields of a case type from outside of its forms. */
export interface TypeUses {
  /** Number of saved views that search by a field, by its name. */
  views: Record<MetaName, Record<string, number>>
  /** Number of hubs whose last uploads had a column for a field. */
  uploads: Record<MetaName, Record<string, number>>
  /** Number of active public referral forms that create cases of this type. */
  publicForms: number
}

/** The parts of a draft besides its forms that refer to fields. */
interface Dependents {
  tests: FormTest[]
  automations?: Automation[]
  deadlines?: Deadline[]
}

/** Where a field is used outside of its form, in words that can follow each other. */
export function usesOf(
  meta: MetaName,
  field: Field,
  uses: TypeUses | undefined,
  draft: Dependents,
): string[] {
  if (!isQuestion(field)) return []
  const inHistory = field.attrs?.sensitive ? [] : ['exports of the history show its answers']
  return [...dependentUses(meta, field, uses, draft), ...inHistory]
}

/** The uses that end, or find nothing new, once the field is out of use. */
function dependentUses(
  meta: MetaName,
  field: Field,
  uses: TypeUses | undefined,
  { tests, automations = [], deadlines = [] }: Dependents,
): string[] {
  const { name, attrs = {} } = field
  const automated = automations.filter((one) => one.is_on !== false && usesField(one, meta, name)).length
  const dated = deadlines.filter((one) => one.is_on !== false && deadlineUsesField(one, meta, name)).length
  const uploads = countIn(uses?.uploads[meta], name)
  const publicForms = attrs.referral ? (uses?.publicForms ?? 0) : 0
  const tested = tests.filter((test) => test.meta === meta && isTested(name, test)).length
  return [
    isReserved(meta, name) && 'lists and reports read it',
    isSearched(field) && 'cases can be searched by it',
    viewsInWords(meta, name, uses),
    counted(publicForms, 'public referral form', ['asks', 'ask'], 'it'),
    uploads > 0 && `uploads of ${pluralise(uploads, 'hub')} have a column for it`,
    counted(tested, 'form test', ['names', 'name'], 'it'),
    counted(automated, 'automation', ['looks', 'look'], 'at it'),
    counted(dated, 'deadline', ['looks', 'look'], 'at it'),
  ].filter((words): words is string => words !== false && words !== '')
}

function viewsInWords(meta: MetaName, name: string, uses: TypeUses | undefined): string {
  return counted(countIn(uses?.views[meta], name), 'saved view', ['searches', 'search'], 'by it')
}

/** "2 saved views search by it"; '' for none. */
function counted(count: number, what: string, [one, several]: [string, string], object: string): string {
  return count > 0 ? `${pluralise(count, what)} ${count === 1 ? one : several} ${object}` : ''
}

/** A sentence for each field that a publication takes out of use although something outside of its form uses it. */
export function lostUses(before: Metas, after: Metas & Dependents, uses: TypeUses | undefined): string[] {
  return (['case_meta', 'issue_meta'] as const).flatMap((meta) => {
    const now = new Map(fieldsInUse(after[meta]).map((field) => [field.name, field]))
    const there = new Set(after[meta].flatMap((group) => group.fields.map(({ name }) => name)))
    return fieldsInUse(before[meta]).flatMap((field) => {
      const { label, name } = field
      const is = now.get(name)
      const views = viewsInWords(meta, name, uses)
      if (is) {
        const isLost = views && isSearched(field) && !isSearched(is)
        return isLost ? [`Cases can no longer be searched by ${quoted(label, name)}, but ${views}`] : []
      }
      const lost = dependentUses(meta, field, uses, after)
      const what = there.has(name) ? 'is switched off' : 'is removed'
      return lost.length > 0 ? [`${quoted(label, name)} ${what}, but ${lost.join('; ')}`] : []
    })
  })
}

function fieldsInUse(groups: Group[]): Field[] {
  return groups.filter(isOn).flatMap((group) => group.fields.filter(isOn))
}

function isSearched({ attrs }: Field): boolean {
  return attrs?.report === true && attrs.sensitive !== true
}

export function isTested(name: string, test: FormTest): boolean {
  return pathsOfTest(test).some((path) => path.split('.', 1)[0] === name)
}

/** The paths of all fields that a test names ('family.0.phone'). */
export function pathsOfTest({ given, expect }: FormTest): string[] {
  const { visible = [], hidden = [], required = [], errors = {}, calculated = {} } = expect
  return [Object.keys(given), visible, hidden, required, Object.keys(errors), Object.keys(calculated)].flat()
}

function countIn(counts: Record<string, number> | undefined, name: string): number {
  return counts && Object.hasOwn(counts, name) ? counts[name] : 0
}
