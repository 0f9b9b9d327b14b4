interface NoticeEntity {
  /** Column of work_notices with the id of the record. */
  column: string
  /** Receivers whose notices lead to the record, because it is theirs; omitted: all. */
  receivers?: string[]
  /** Values that the view of notices offers to the texts of this entity, as they are when the notice is read. */
  values: string[]
}

/** The entities whose notices can lead to the record itself; the view work_notice_rows fills their texts. */
export const NOTICE_ENTITIES: Record<string, NoticeEntity> = {
  issue: { column: 'issue', receivers: ['advocate'], values: ['id', 'client', 'urgent'] },
  task: { column: 'task', receivers: ['assignee'], values: ['id', 'title', 'client', 'overdue'] },
  client: { column: 'client', receivers: ['advocates'], values: ['id', 'client', 'day'] },
  referralRequest: { column: 'referral', values: ['id', 'hub'] },
  bulkUpload: { column: 'upload', values: ['id', 'name'] },
  fieldComment: { column: 'field_comment', values: ['id', 'title', 'name'] },
}

/** Names of receivers of notices, besides fields of the record and groups of people. */
export const NOTICE_RECEIVERS = ['advocates', 'line_manager', 'hub_managers', 'participants'] as const

/** How notices to some receivers lead to a record of an entity; undefined if they are about its case or issue instead. */
export function ownNotice(entity: string, receivers: string[]): NoticeEntity | undefined {
  const own = Object.hasOwn(NOTICE_ENTITIES, entity) ? NOTICE_ENTITIES[entity] : undefined
  return receivers.every((receiver) => own?.receivers?.includes(receiver) ?? true) ? own : undefined
}
