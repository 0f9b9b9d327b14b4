import { fill, partsOf } from '../contract/call.ts'

/** The address a template leads to for these values; undefined where a part has none. */
export function linkTo(template: string, values: Record<string, unknown>): string | undefined {
  const missing = partsOf(template).some((name) => (values[name] ?? '') === '')
  return missing ? undefined : fill(template, values)
}
