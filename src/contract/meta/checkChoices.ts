import { suggest } from '../suggest.ts'
import type { Field } from '../types.ts'
import type { Known, Say } from './check.ts'

/** The choices of a field: its own options or a known lookup, never both; what its default and parameters name. */
export function checkChoices(field: Field, known: Known, reach: Map<string, Field>, say: Say): void {
  const { label, type, attrs = {} } = field
  const { options, lookup } = attrs
  if (type !== 'select' && type !== 'multiselect') {
    if (options) say(['attrs', 'options'], `'${label}' has no choices to pick from; remove its options`)
    if (lookup) say(['attrs', 'lookup'], `'${label}' has no choices to pick from; remove its list`)
    return
  }
  if (options && lookup) {
    say(['attrs', 'lookup'], `'${label}' has choices of its own and a list; remove one of them`)
  } else if (lookup) checkLookup(field, known, reach, say)
  else if (!options?.length) say(['attrs', 'options'], `Add choices to '${label}', or choose a list for it`)
  checkOptions(field, say)
  checkDefault(field, say)
}

function checkOptions({ label, attrs = {} }: Field, say: Say) {
  const { options = [] } = attrs
  const seen = new Set<unknown>()
  for (const [i, option] of options.entries()) {
    const path = ['attrs', 'options', i]
    if (option.label.trim() === '') say([...path, 'label'], `Give every choice of '${label}' a label`)
    if (option.label.length > 300)
      say([...path, 'label'], 'Shorten the label of this choice to 300 characters')
    if (seen.has(option.value)) {
      say([...path, 'value'], `Two choices of '${label}' are stored as '${option.value}'; remove one`)
    }
    seen.add(option.value)
  }
  if (options.length > 500) say(['attrs', 'options'], `'${label}' may have 500 choices; use a list instead`)
}

function checkDefault({ label, attrs = {} }: Field, say: Say) {
  const { options, default: preset } = attrs
  if (!options || preset === undefined) return
  const values = Array.isArray(preset) ? preset : [preset]
  const wrong = values.find((value) => !options.some((o) => o.value === value && o.active !== false))
  if (wrong !== undefined) {
    say(['attrs', 'default'], `'${label}' begins as '${wrong}', which is none of its choices; choose another`)
  }
}

function checkLookup({ label, attrs = {} }: Field, known: Known, reach: Map<string, Field>, say: Say) {
  const name = attrs.lookup!
  if (!Object.hasOwn(known.lookups, name)) {
    const near = suggest(name, Object.keys(known.lookups))
    say(['attrs', 'lookup'], `There is no list '${name}'${near}`)
    return
  }
  const by = known.lookups[name].by ?? []
  for (const [key, value] of Object.entries(attrs.lookup_params ?? {})) {
    const path = ['attrs', 'lookup_params', key]
    if (!by.includes(key)) say(path, `The list of '${label}' cannot be narrowed by '${key}'; remove that`)
    const from = typeof value === 'string' && value.startsWith('$') ? value.slice(1) : undefined
    if (from !== undefined && !from.includes('.') && !reach.has(from)) {
      say(path, `The list of '${label}' is narrowed by '${from}', but there is no such field; choose another`)
    }
  }
}
