import { allows } from '../../contract/access.ts'
import type { Action } from '../../contract/generated.ts'
import { holds, type Values } from '../../contract/when.ts'
import { useContract } from '../runtime/contract.ts'
import { useUser } from '../runtime/user.ts'

/** The actions that the user's roles and the record's state allow. */
export function useOfferedActions(actions: Action[], record?: Values): Action[] {
  const { roles, endpoints } = useContract()
  const user = useUser()
  return actions.filter(
    (action) =>
      allows(roles, action.roles, user.groups) &&
      [action.call, action.upload, action.download].every(
        (call) => !call || allows(roles, endpoints[call].roles, user.groups),
      ) &&
      holds(action.when, { record, user }),
  )
}
