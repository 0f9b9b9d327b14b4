/** An event of the audit as AUDIT_URL gets it: who did what to which record, and never a value. */
export interface AuditLine {
  /** Identifies the event where it is sent twice. */
  id: number
  at: string
  action: string
  entity: string
  record: number | null
  version: number | null
  /** Ids of the staff member, null for the system and the public, and of what the record belongs to. */
  staff: number | null
  client: number | null
  case: number | null
  issue: number | null
  /** Request id, as in the log of calls. */
  request: string | null
  /** Names of the fields that changed. */
  fields: string[]
}

/** The line of a row of the audit; keys in this order, so that lines can be read. */
export function lineOf({
  fields,
  ...row
}: Omit<AuditLine, 'fields'> & { fields: string[] | null }): AuditLine {
  const { id, at, action, entity, record, version, staff, client, issue, request } = row
  return {
    id,
    at: new Date(at).toISOString(),
    action,
    entity,
    record,
    version,
    staff,
    client,
    case: row.case,
    issue,
    request,
    fields: fields ?? [],
  }
}
