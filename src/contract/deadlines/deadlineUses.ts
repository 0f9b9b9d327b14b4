import type { Deadline, Span } from '../generated.ts'
import type { MetaName } from '../meta/metaTypes.ts'
import { META_OF } from '../meta/recordFields.ts'
import { pathsOf } from '../when.ts'

const CASE_PATH = '$case.'

export function pathsOfDeadline({ from, at, until, within, every, warn, met_by, when, paused }: Deadline) {
  const amounts = [within, every, warn].flatMap((span?: Span) => Object.values(span ?? {}))
  const single = [from, at, ...amounts, met_by?.field, until]
  const paths = single.filter((one): one is string => typeof one === 'string' && one !== '')
  return [...new Set([...paths, ...pathsOf(when), ...pathsOf(paused?.when)])]
}

/** True if a deadline looks at a field of a form. */
export function deadlineUsesField(deadline: Deadline, meta: MetaName, name: string): boolean {
  const isOwn = META_OF[deadline.of] === meta
  return pathsOfDeadline(deadline).some((path) => {
    if (path.startsWith(CASE_PATH))
      return meta === 'case_meta' && path.slice(CASE_PATH.length).split('.')[0] === name
    return isOwn && path.split('.')[0] === name
  })
}
