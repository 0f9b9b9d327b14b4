import { placeholdersIn } from '../filledTexts.ts'
import type { Automation } from '../generated.ts'
import type { MetaName } from '../meta/metaTypes.ts'
import { META_OF } from '../meta/recordFields.ts'
import { pathsOf } from '../when.ts'
import { filledTextOf } from './outcomes.ts'

const CASE_PATH = '$case.'

/** True if the condition of an automation looks at a field of a form, or a text of it has its answer. */
export function usesField({ of, when, then }: Automation, meta: MetaName, name: string): boolean {
  const isOwn = META_OF[of] === meta
  const paths = pathsOf(when).flatMap((path) => {
    if (path.startsWith(CASE_PATH)) return meta === 'case_meta' ? [path.slice(CASE_PATH.length)] : []
    return isOwn ? [path] : []
  })
  if (paths.some((path) => path.split('.', 1)[0] === name)) return true
  return isOwn && then.some((one) => placeholdersIn(filledTextOf(one) ?? '').includes(name))
}
