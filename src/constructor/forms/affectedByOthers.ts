import { isEqual } from '../../contract/isEqual.ts'
import type { Placed } from '../../contract/meta/impactPlaces.ts'
import { whensOf } from '../../contract/meta/impactPlaces.ts'
import { quoted } from '../../contract/quoted.ts'
import { pathsOf } from '../../contract/when.ts'

/**
 * Fields whose own conditions did not change, but that another changed field may now hide; by key, with a
 * description of the cause. Only answered fields count.
 */
export function affectedByOthers(
  before: Map<string, Placed>,
  after: Map<string, Placed>,
  isAnswered: (key: string) => boolean,
): Map<string, string> {
  const dependants = new Map<string, string[]>()
  for (const [key, place] of after) {
    for (const name of namesLookedAt(place)) {
      const list = dependants.get(name)
      if (list) list.push(key)
      else dependants.set(name, [key])
    }
  }
  const why = new Map<string, string>()
  const queue: string[] = []
  for (const [key, is] of after) {
    const words = changeOf(before.get(key), is)
    if (!words || !isAnswered(key)) continue
    why.set(key, `${quoted(is.field.label, is.field.name)}, which ${words}`)
    queue.push(key)
  }
  const changed = new Set(queue)
  // The queue grows during the iteration: a field that may be hidden may hide others.
  for (const key of queue) {
    for (const next of dependants.get(key) ?? []) {
      const [was, is] = [before.get(next), after.get(next)!]
      if (why.has(next) || !was?.isOn || !is.isOn || !isAnswered(next)) continue
      why.set(next, why.get(key)!)
      queue.push(next)
    }
  }
  return new Map([...why].filter(([key]) => !changed.has(key)))
}

function changeOf(was: Placed | undefined, is: Placed): string | undefined {
  if (!was || is.repeats.length > 0) return undefined
  if (was.isOn !== is.isOn) return is.isOn ? 'is switched on' : 'is switched off'
  return is.isOn && !isEqual(whensOf(was), whensOf(is)) ? 'is shown otherwise' : undefined
}

/** Names of the fields on which the visibility of an item depends, except columns of the rows around it. */
function namesLookedAt(place: Placed): string[] {
  const columns = new Set(place.repeats.flatMap(({ fields = [] }) => fields.map((c) => c.name)))
  const names = whensOf(place).flatMap((when) => pathsOf(when).map((path) => path.split('.', 1)[0]))
  return [...new Set(names)].filter((name) => !columns.has(name))
}
