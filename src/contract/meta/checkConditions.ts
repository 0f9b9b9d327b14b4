import type { Field, FieldType, Group } from '../types.ts'
import type { Literal, Test, When } from '../when.ts'
import type { Say } from './check.ts'
import { checkCircles } from './checkCircles.ts'
import { fieldsByName, placesOf, withinReach } from './walk.ts'

const YESNO: Literal[] = ['yes', 'no', 'not_known']
const NUMBERS: FieldType[] = ['integer', 'duration', 'file']
const NO_VALUE: FieldType[] = ['contact', 'repeat', 'file']
const ELSEWHERE = /^(record|form|with|user|query)\../

/** The conditions of one meta: that they name fields and values there are, and that none waits for itself. */
export function checkConditions(groups: Group[], say: Say): void {
  const all = fieldsByName(groups)
  for (const [g, group] of groups.entries()) {
    checkWhen(group.attrs?.when, all, (path, message) => say([g, 'attrs', 'when', ...path], message))
  }
  for (const { field, repeat, path } of placesOf(groups)) {
    const reach = withinReach(all, repeat)
    for (const key of ['when', 'required_when'] as const) {
      const name = repeat?.name ?? field.name
      checkWhen(field.attrs?.[key], reach, (at, message) =>
        say([...path, 'attrs', key, ...at], message, name),
      )
    }
  }
  checkCircles(groups, say)
}

function checkWhen(when: When | undefined, reach: Map<string, Field>, say: Say) {
  for (const [path, test] of Object.entries(when ?? {})) {
    if (path === 'any') {
      for (const [i, one] of (test as When[]).entries()) {
        checkWhen(one, reach, (at, message) => say(['any', i, ...at], message))
      }
    } else if (!ELSEWHERE.test(path)) checkTest(path, test as Test, reach, (at, m) => say([path, ...at], m))
  }
}

function checkTest(path: string, test: Test, reach: Map<string, Field>, say: Say) {
  if (path === '') return say([], 'Choose the field that this condition looks at, or remove the condition')
  const [head, ...rest] = path.split('.')
  const field = reach.get(head)
  if (!field) {
    return say(
      [],
      `This condition looks at '${head}', but there is no such field; choose another or remove it`,
    )
  }
  if (rest.length > 0) return
  const literals = literalsOf(test)
  if (literals.length === 0 || literals.includes('')) {
    if (!isOnlySet(test)) say([], `Choose a value of '${field.label}' for this condition`)
    return
  }
  for (const literal of literals) {
    const wrong = literal !== null && against(field, literal)
    if (wrong) return say([], wrong)
  }
}

/** What a field has against ever being equal to a value, or undefined. */
function against({ label, type, attrs = {} }: Field, value: Literal): string | undefined {
  if (NO_VALUE.includes(type)) return `Of '${label}' a condition can only tell whether it has a value`
  const known = type === 'yesno' ? YESNO : attrs.options?.map((o) => o.value)
  if (known)
    return known.includes(value) ? undefined : `'${label}' has no choice '${value}'; choose another value`
  const must = attrs.lookup || NUMBERS.includes(type) ? 'number' : 'string'
  if (typeof value === must) return undefined
  return `'${value}' can never be the value of '${label}'; choose another value`
}

function literalsOf(test: Test): Literal[] {
  if (Array.isArray(test)) return test
  if (test === null || typeof test !== 'object') return [test]
  const { not, min, max } = test
  return [not ?? [], min ?? [], max ?? []].flat()
}

function isOnlySet(test: Test): boolean {
  return test !== null && typeof test === 'object' && !Array.isArray(test) && test.set !== undefined
}
