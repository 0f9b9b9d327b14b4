import { fillPath, partsOf } from '../../contract/call.ts'
import { isLocal } from '../../contract/localAddress.ts'

/** The address of a template; undefined if a value is missing. For '{field}' alone, its value is the local address. */
export function linkTo(template: string, values: Record<string, unknown>): string | undefined {
  const alone = template.match(/^\{(\w+)\}$/)?.[1]
  if (alone) return isLocal(String(values[alone] ?? '')) ? String(values[alone]) : undefined
  const missing = partsOf(template).some((name) => (values[name] ?? '') === '')
  return missing ? undefined : fillPath(template, values)
}
