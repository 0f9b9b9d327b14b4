import type { ListScreen } from '../../../contract/generated.ts'
import type { Reply } from '../../../contract/reply.ts'
import type { SavedView as SavedViewRow } from '../../../contract/types/entities.ts'
import type { RenderedColumn } from '../../cells/columns.ts'
import { hasColumnChoice } from '../list/state/columnChoice.ts'
import type { ListState } from '../list/state/listState.ts'

/** A saved view from the server; `query` has texts as in the URL. */
export type SavedView = Omit<Reply<SavedViewRow>, keyof ViewContent> & ViewContent

export interface ViewContent {
  query: Record<string, string>
  /** Fields, separated by commas; null: the list's default columns. */
  columns: string | null
}

export function contentOf(
  { relative, sort }: ListState,
  screen: ListScreen,
  visible: RenderedColumn[],
): ViewContent {
  return {
    query: { ...relative, ...(sort && { sort: `${sort.descending ? '-' : ''}${sort.field}` }) },
    columns: !hasColumnChoice(screen) ? null : visible.map(({ field }) => field).join(),
  }
}

/** True if the content of a list differs from that of its view. */
export function isChanged(view: ViewContent, { query, columns }: ViewContent): boolean {
  const names = new Set([...Object.keys(view.query), ...Object.keys(query)])
  const differs = [...names].some((name) => view.query[name] !== query[name])
  // The columns of a report are not chosen, even if an older view contains some.
  return differs || (view.columns !== null && columns !== null && view.columns !== columns)
}

const SHARED = { team: 'the team', hub: 'the hub', all: 'everybody' }

/** The owner of a view and with whom it is shared, such as 'Yours, shared with the team'. */
export function describeOwner({ staff, owner_name, shared }: SavedView, me: number): string {
  if (staff !== me)
    return `Shared by ${owner_name ?? 'a colleague'}${shared ? ` with ${SHARED[shared]}` : ''}`
  return shared ? `Yours, shared with ${SHARED[shared]}` : 'Yours alone'
}
