import { sourcesOf } from './computedDefault.ts'
import { type Argument, TODAY } from './formula.ts'
import type { Field, Group } from './generated.ts'
import { groupOfRow, type PreparedForm, prepareForm } from './preparedForm.ts'

const todayDependent = new WeakMap<Group[], Set<string>>()

/** Names of the calculated fields whose value depends on today's date; it is displayed but never stored. */
export function todayDependentNames(groups: Group[]): Set<string> {
  const known = todayDependent.get(groups) ?? todayDependentIn(prepareForm(groups))
  todayDependent.set(groups, known)
  return known
}

function todayDependentIn({ derived, places }: PreparedForm): Set<string> {
  const found = new Set<string>()
  const isTodayDependent = (argument: Argument) => {
    if (typeof argument !== 'string') return false
    const [head, column] = argument.split('.')
    if (argument === TODAY || found.has(head)) return true
    return column !== undefined && todayDependentColumns(places.get(head)?.[0][1].fields ?? []).has(column)
  }
  for (const field of derived)
    if (field.attrs!.calc && sourcesOf(field).some(isTodayDependent)) found.add(field.name)
  return found
}

/** Names of the columns of a repeat whose value depends on today's date. */
export function todayDependentColumns(fields: Field[]): Set<string> {
  return todayDependentNames(groupOfRow(fields))
}
