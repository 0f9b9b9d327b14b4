import { FIELD_TYPES, holdsFile } from '../fieldTypes.ts'
import type { Field, Group } from '../generated.ts'
import { sourceOfPath } from '../seen.ts'
import { outsidePathsOf } from '../seenPaths.ts'
import { withParents } from '../subgroups.ts'
import { pathsOf } from '../when.ts'
import type { Known, MetaName } from './metaTypes.ts'
import { fieldsByName } from './places.ts'

/** The only path outside of the form that may narrow the choices of a field: a public form belongs to one service. */
const SERVICE = '$case.service'

/** Why the public referral form cannot have a field, in words that follow its label; undefined if it can. */
function whyNotPublic({ type, attrs = {}, fields = [] }: Field, known: Known): string | undefined {
  if (holdsFile({ type })) return `is a ${FIELD_TYPES[type].title.toLowerCase()}`
  if (attrs.calc) return 'is calculated'
  if (attrs.hidden) return 'is hidden'
  if (attrs.sensitive) return 'is sensitive'
  const lookup = attrs.lookup === undefined ? undefined : known.lookups[attrs.lookup]
  if (attrs.ref || lookup?.from) return 'has choices that are not public'
  if (outsidePathsOf({ name: '', label: '', type, attrs }).some((path) => sourceOfPath(path) === 'last'))
    return 'looks at the last record of a person, which the public form does not know'
  const isNarrowed = Object.values(attrs.lookup_params ?? {}).some(
    (value) => String(value).startsWith('$') && value !== SERVICE,
  )
  if (isNarrowed) return 'has choices that depend on another answer'
  const column = fields.find((one) => whyNotPublic(one, known))
  return column && `has the column '${column.label}', which ${whyNotPublic(column, known)}`
}

/** Error of a field that is marked for the public referral form; undefined if the form can have it. */
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

/** The groups of the public referral form: the marked fields of a case type that are switched on. */
export function publicGroups(groups: Group[], known: Known): Group[] {
  const isPublic = (field: Field) =>
    field.attrs?.referral === true && field.attrs.is_on !== false && !whyNotPublic(field, known)
  const publicOnes = withParents(groups)
    .filter((group) => group.attrs?.is_on !== false)
    .map((group) => ({ ...group, fields: group.fields.filter(isPublic) }))
    .filter(({ fields }) => fields.length > 0)
  const names = new Set(fieldsByName(publicOnes).keys())
  return publicOnes.map((group) => ({
    ...group,
    fields: group.fields.map((field) => withUsableChecks(field, names)),
  }))
}

/**
 * A field and its columns without checks that refer to fields which are not on the form, and so would not be evaluated
 * correctly.
 */
function withUsableChecks(field: Field, names: Set<string>): Field {
  const { attrs, fields } = field
  const inRow = new Set([...names, ...(fields ?? []).map((column) => column.name)])
  const checks = attrs?.checks?.filter(({ when }) =>
    pathsOf(when).every((path) => names.has(path.split('.')[0])),
  )
  return {
    ...field,
    ...(checks && { attrs: { ...attrs, checks } }),
    ...(fields && { fields: fields.map((column) => withUsableChecks(column, inRow)) }),
  }
}
