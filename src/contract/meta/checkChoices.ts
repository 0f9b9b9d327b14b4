import { computedDefault } from '../computedDefault.ts'
import { hasChoices, holdsRows, takesOneChoice } from '../fieldTypes.ts'
import type { Field } from '../generated.ts'
import { suggest } from '../suggest.ts'
import { FORM_LIMITS, MAX_LABEL_LENGTH } from './formLimits.ts'
import type { Known, Report } from './metaTypes.ts'
import { checkParentList } from './parentList.ts'
import type { Reach } from './places.ts'

/**
 * Checks the choices of a field, which are its own options or a known lookup, its default and its lookup parameters.
 */
export function checkChoices(field: Field, known: Known, reach: Reach, report: Report): void {
  const { label, attrs = {} } = field
  const { options, lookup } = attrs
  if (!hasChoices(field)) {
    if (options) report(['attrs', 'options'], `'${label}' has no choices to pick from; remove its options`)
    if (lookup) report(['attrs', 'lookup'], `'${label}' has no choices to pick from; remove its list`)
    return
  }
  if (options && lookup) {
    report(['attrs', 'lookup'], `'${label}' has choices of its own and a list; remove one of them`)
  } else if (lookup) {
    if (attrs.radios)
      report(
        ['attrs', 'radios'],
        `'${label}' takes its choices from a list; only choices of its own can be radio buttons`,
      )
    checkLookup(field, known, reach, report)
  } else if (!options?.length)
    report(['attrs', 'options'], `Add choices to '${label}', or choose a list for it`)
  checkOptions(field, report)
  checkDefault(field, report)
}

function checkOptions({ label, type, attrs = {} }: Field, report: Report) {
  const { options = [] } = attrs
  const seen = new Set<unknown>()
  for (const [i, option] of options.entries()) {
    const path = ['attrs', 'options', i]
    if (option.label.trim() === '') report([...path, 'label'], `Give every choice of '${label}' a label`)
    if (option.label.length > MAX_LABEL_LENGTH)
      report([...path, 'label'], `Shorten the label of this choice to ${MAX_LABEL_LENGTH} characters`)
    if (option.exclusive && takesOneChoice({ type }))
      report(
        [...path, 'exclusive'],
        `'${label}' takes one choice in any case; '${option.label}' need not exclude others`,
      )
    if (seen.has(option.value))
      report([...path, 'value'], `Two choices of '${label}' are stored as '${option.value}'; remove one`)
    seen.add(option.value)
  }
  if (options.length > FORM_LIMITS.choices)
    report(['attrs', 'options'], `'${label}' may have ${FORM_LIMITS.choices} choices; use a list instead`)
}

function checkDefault({ label, attrs = {} }: Field, report: Report) {
  const { options, default: preset } = attrs
  if (!options || preset === undefined || computedDefault({ attrs })) return
  const values = Array.isArray(preset) ? preset : [preset]
  const wrong = values.find((value) => !options.some((o) => o.value === value && o.active !== false))
  if (wrong !== undefined) {
    report(
      ['attrs', 'default'],
      `'${label}' begins as '${wrong}', which is not one of its choices; choose another`,
    )
  }
  const alone = values.length > 1 && options.find((o) => o.exclusive && values.includes(o.value))
  if (alone)
    report(['attrs', 'default'], `'${label}' begins as '${alone.label}' with others, which it excludes`)
}

function checkLookup(field: Field, known: Known, reach: Reach, report: Report) {
  const { label, attrs = {} } = field
  const name = attrs.lookup!
  if (!Object.hasOwn(known.lookups, name)) {
    const near = suggest(name, Object.keys(known.lookups))
    report(['attrs', 'lookup'], `There is no list '${name}'${near}`)
    return
  }
  const { by = [], needs } = known.lookups[name]
  if (needs && attrs.lookup_params?.[needs] === undefined)
    report(
      ['attrs', 'lookup_params', needs],
      `Choose which ${needs.replaceAll('_', ' ')} gives the choices of '${label}'`,
    )
  for (const [key, value] of Object.entries(attrs.lookup_params ?? {})) {
    const path = ['attrs', 'lookup_params', key]
    if (!by.includes(key)) report(path, `The list of '${label}' cannot be narrowed by '${key}'; remove that`)
    const from = typeof value === 'string' && value.startsWith('$') ? value.slice(1) : undefined
    const [head, ...rest] = from?.split('.') ?? []
    const source = from === undefined ? undefined : reach.get(head)
    if (rest.length > 0 && source && holdsRows(source))
      report(
        path,
        `The list of '${label}' is narrowed by '${rest.join('.')}' of '${source.label}', which has an answer in every row; choose another field`,
      )
    const around =
      from !== undefined && rest.length > 0 && !reach.has(head) && aroundError(head, rest[0], known)
    if (around) report(path, `The list of '${label}' is narrowed by '${from}', but ${around}`)
    if (from !== undefined && rest.length === 0 && !reach.has(from)) {
      report(
        path,
        `The list of '${label}' is narrowed by '${from}', but there is no such field; choose another`,
      )
    }
  }
  checkParentList(field, known, reach, report)
}

/** Error of a path into the record around a form, which screens read as the case or the client. */
function aroundError(root: string, name: string, { entities }: Known): string | undefined {
  if (!entities || ['form', 'with', 'query', 'record'].includes(root)) return undefined
  const entity = root === 'user' ? entities.me : ['case', 'client'].includes(root) && entities[root]
  if (!entity) return `there is no '${root}' here`
  if (Object.hasOwn(entity.properties, name)) return undefined
  return `the ${root} has no such field${suggest(name, Object.keys(entity.properties))}`
}
