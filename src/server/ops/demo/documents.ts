import type { Row } from '../../core/db.ts'
import { writtenOn } from './actions.ts'
import type { DemoContext } from './context.ts'

const OFTEN = 0.03

/** The rows of a document and its text file, for a few issues. */
export function documentOf(
  issue: Row,
  day: number,
  context: DemoContext,
): { file: Row; document: Row } | undefined {
  const { work, ids, casework } = context
  if (!work.chance(OFTEN)) return undefined
  const [name, words] = work.pick(casework.documents)
  const content = Buffer.from(words)
  const times = writtenOn(day, context)
  const shared = { name, created_by: issue.advocate ?? issue.created_by }
  const document = { id: ++ids.issue_documents, issue: issue.id, ...shared, file: ++ids.files, ...times }
  const file = {
    id: ids.files,
    ...shared,
    type: 'text/plain',
    size: content.length,
    content: `\\x${content.toString('hex')}`,
    entity: 'issueDocument',
    record: document.id,
    created_at: times.created_at,
  }
  return { file, document }
}
