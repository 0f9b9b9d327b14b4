import { isEqual } from '../../contract/applyChanges.ts'
import type { Entity } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { changesSince, type RecordedChange } from '../audit/audit.ts'
import type { Call } from '../call.ts'
import type { Row } from '../db.ts'
import { fieldProblem, problem } from '../problems.ts'
import { fetch, withEmbedded } from '../verbs/read.ts'

/** Throws 409 `{code: conflict, fields: {f: {base, mine, theirs, by, at}}, current}` where a key sent was changed by others since its version. */
export async function refuseConflict(
  call: Call,
  entity: Entity,
  row: Row,
  sent: Values,
  version: unknown,
): Promise<void> {
  if (version === undefined || version === row.version) return
  if (typeof version !== 'number') throw fieldProblem({ version: ['Version must be a whole number'] })
  const fields = conflictsOf(sent, row, await changesSince(call, entity.$id, Number(call.params.id), version))
  if (Object.keys(fields).length === 0) return
  const current = await withEmbedded(call, entity, await fetch(call, entity, call.params.id))
  throw problem('conflict', { fields, current })
}

/** The keys sent that others changed to something else: what they were, and what both made of them. */
export function conflictsOf(sent: Values, row: Row, changes: RecordedChange[]): Record<string, object> {
  const mine = flat(sent)
  const now = flat(row)
  const fields: Record<string, object> = {}
  for (const change of changes) {
    for (const [name, { from }] of Object.entries(change.fields)) {
      const theirs = now[name] ?? null
      if (!(name in mine) || isEqual(mine[name] ?? null, theirs)) continue
      const base = (fields[name] as { base: unknown } | undefined)?.base ?? from
      fields[name] = { base, mine: mine[name] ?? null, theirs, by: change.by, at: change.at }
    }
  }
  return fields
}

/** Keys as the audit names them: those of answers with their prefix. */
function flat({ answers, ...rest }: Values): Values {
  const inside = Object.entries((answers ?? {}) as Values).map(([name, value]) => [`answers.${name}`, value])
  return { ...rest, ...Object.fromEntries(inside) }
}
