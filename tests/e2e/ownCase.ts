import type { Caller } from '../server/context.ts'
import { createCase, newCase } from '../server/newCase.ts'

/** Ids of a case, its client and its issue. */
export interface OwnCase {
  id: number
  client: number
  issue: number
}

/** Creates a case assigned to the caller, so that their managers see it too, of a client with this last name. */
export async function ownCase(caller: Caller, last_name: string): Promise<OwnCase> {
  const { issue } = await newCase(caller)
  const own = { ...(issue as object), advocate: caller.id }
  return createCase(caller, 1, { client: { first_name: 'Ann', last_name }, issue: own })
}

/** Path of a case's issue. */
export const issuePage = ({ id, issue }: OwnCase) => `/cases/${id}/issues/${issue}`

/** Reads the current issue from the server. */
export const issueOf = async (caller: Caller, { issue }: OwnCase) =>
  (await caller('issues.read', { params: { id: issue } })).body

/** Reads the current documents of an issue from the server. */
export const documentsOf = async (caller: Caller, { issue }: OwnCase) =>
  (await caller('documents.ofIssue', { params: { id: issue } })).body.data
