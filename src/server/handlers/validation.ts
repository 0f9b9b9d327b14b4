import type { Handler } from '../call.ts'
import { pageOf } from '../verbs/list.ts'

/** The newest issues that a browser is told of by their ids, to know which of them are new to its person. */
const TOLD = 500

/** How many issues this person may see that have fields missing or wrong, as their list counts them, and which. */
export const notification: Handler = async (call) => {
  const entity = call.contract.entities.invalidRow
  const { data, pagination } = await pageOf({ ...call, query: { page_size: TOLD } }, entity, [])
  return {
    invalid_cases: pagination.count,
    issues: data.map(({ id, case: file }) => ({ issue_id: id, case_id: file })),
  }
}
