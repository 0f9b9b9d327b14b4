import type { Section } from '../../../contract/generated.ts'
import type { Values } from '../../../contract/when.ts'
import { isPlainObject } from '../../../contract/when.ts'

/**
 * The versions of the metas that a form shows, as its save sends them: `{case_type_version: 7}` for groups from
 * `with.caseType`, which is read by the id at `record.case_type`.
 */
export function requestedVersions(
  groups: Pick<Section, 'from'>[],
  reads: Record<string, { id?: string }> = {},
  values: Values = {},
  suffix = 'version',
): Values {
  const names = new Set(groups.map(({ from }) => from?.match(/^with\.(\w+)\./)?.[1]))
  const versions = Object.entries(reads).flatMap(([name, { id }]) => {
    const key = id?.match(/\.(\w+)$/)?.[1]
    const meta = values[name]
    const isUsed = names.has(name) && key && isPlainObject(meta) && meta.version !== undefined
    return isUsed ? [[`${key}_${suffix}`, (meta as Values).version]] : []
  })
  return Object.fromEntries(versions)
}
