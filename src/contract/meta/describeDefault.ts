import { computedDefault } from '../computedDefault.ts'
import { describeAnswer, type ItemLabel } from '../describeAnswer.ts'
import type { Field } from '../generated.ts'
import { quoted } from '../quoted.ts'
import { sourceOfPath } from '../seen.ts'
import { describeCalculation } from './describeCalculation.ts'
import { outsideWords } from './outsideWords.ts'

/** Describes the default of a field: "Today", "the postcode of the client"; '' if it has none. */
export function describeDefault(field: Field, reach: Map<string, Field>, itemLabel?: ItemLabel): string {
  const preset = field.attrs?.default
  if (preset === undefined) return ''
  const computed = computedDefault(field)
  if (!computed) return preset === 'today' ? 'Today' : describeAnswer(field, preset, itemLabel)
  if (computed.calc) return describeCalculation({ ...field, attrs: computed }, reach)
  if (computed.from === '$user.id') return 'the person who fills it in'
  if (sourceOfPath(computed.from)) return outsideWords(computed.from, reach.get(computed.from))
  const [head, ...rest] = computed.from.slice(1).split('.')
  if (rest.length > 0) return `the ${rest.join(' ').replaceAll('_', ' ')} of the ${head}`
  return `what is answered in ${quoted(reach.get(head)?.label ?? head, head)}`
}
