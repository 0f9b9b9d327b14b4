import type { Field, Group } from '../generated.ts'
import { pathsOf } from '../when.ts'
import type { Known, MetaName } from './metaTypes.ts'
import { fieldsByName } from './places.ts'

/** The one thing outside of the form by which its choices may be narrowed: a public form is of one service. */
const SERVICE = '$case.service'

/** Why the public referral form cannot ask a field, after its label; undefined where it can. */
export function whyNotPublic({ type, attrs = {}, fields = [] }: Field, known: Known): string | undefined {
  if (type === 'file') return 'is a file'
  if (type === 'signature') return 'is a signature'
  if (attrs.calc) return 'is calculated'
  if (attrs.hidden) return 'is hidden'
  if (attrs.sensitive) return 'is sensitive'
  const lookup = attrs.lookup === undefined ? undefined : known.lookups[attrs.lookup]
  if (attrs.ref || lookup?.from) return 'has choices that are not public'
  const isNarrowed = Object.values(attrs.lookup_params ?? {}).some(
    (value) => String(value).startsWith('$') && value !== SERVICE,
  )
  if (isNarrowed) return 'has choices that depend on another answer'
  const column = fields.find((one) => whyNotPublic(one, known))
  return column && `has the column '${column.label}', which ${whyNotPublic(column, known)}`
}

/** What is wrong with a field that is marked for the public referral form; undefined where nothing is. */
export function publicFieldError(
  meta: MetaName,
  field: Field,
  isColumn: boolean,
  known: Known,
): string | undefined {
  if (!field.attrs?.referral) return undefined
  if (meta === 'issue_meta' || isColumn)
    return `The public referral form asks whole fields of the case; '${field.label}' cannot be asked there`
  const why = whyNotPublic(field, known)
  return why && `The public referral form cannot ask '${field.label}', which ${why}`
}

/** The groups of a case type as the public referral form asks them: the marked fields that are on. */
export function publicGroups(groups: Group[], known: Known): Group[] {
  const isAsked = (field: Field) =>
    field.attrs?.referral === true && field.attrs.is_on !== false && !whyNotPublic(field, known)
  const asked = groups
    .filter((group) => group.attrs?.is_on !== false)
    .map((group) => ({ ...group, fields: group.fields.filter(isAsked) }))
    .filter(({ fields }) => fields.length > 0)
  const names = new Set(fieldsByName(asked).keys())
  return asked.map((group) => ({
    ...group,
    fields: group.fields.map((field) => withSeeingChecks(field, names)),
  }))
}

/** A field, and its columns, without checks on answers that are not asked: they would never be right. */
function withSeeingChecks(field: Field, names: Set<string>): Field {
  const { attrs, fields } = field
  const inRow = new Set([...names, ...(fields ?? []).map((column) => column.name)])
  const checks = attrs?.checks?.filter(({ when }) =>
    pathsOf(when).every((path) => names.has(path.split('.')[0])),
  )
  return {
    ...field,
    ...(checks && { attrs: { ...attrs, checks } }),
    ...(fields && { fields: fields.map((column) => withSeeingChecks(column, inRow)) }),
  }
}
