import type { Row } from '../db.ts'

/** Who did what to a case and its issues, as the calls would have noted it. */
export function auditOf(file: Row, issues: Row[]): Row[] {
  return [deed(file, 'case', 'create', 1), ...issues.flatMap(deedsOf)]
}

function deedsOf(issue: Row): Row[] {
  const deeds = [deed(issue, 'issue', 'create', 1)]
  const closed = issue.is_opened === false
  const assigned = Number(issue.version) - (closed ? 1 : 0) === 2
  if (assigned) {
    const changes = { advocate: { from: null, to: issue.advocate } }
    deeds.push({ ...deed(issue, 'issue', 'assign', 2), changes })
  }
  if (closed) {
    const changes = {
      is_opened: { from: true, to: false },
      close_date: { from: null, to: issue.close_date },
      close_reasons: { from: [], to: issue.close_reasons },
    }
    const { advocate, created_by, updated_at } = issue
    const close = deed(issue, 'issue', 'close', Number(issue.version))
    deeds.push({ ...close, at: updated_at, staff: advocate ?? created_by, changes })
  }
  return deeds
}

function deed({ id, created_at, created_by }: Row, entity: string, action: string, version: number): Row {
  return { at: created_at, staff: created_by, action, entity, record: id, version, changes: null }
}
