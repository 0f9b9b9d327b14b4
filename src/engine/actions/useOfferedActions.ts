import type { Action } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { useContract } from '../core/contract.ts'
import { useUser } from '../core/user.ts'
import { isOffered } from './isOffered.ts'

/** The actions that the user's roles and the record's state allow. */
export function useOfferedActions(actions: Action[], record?: Values): Action[] {
  const contract = useContract()
  const user = useUser()
  return actions.filter((action) => isOffered(contract, action, { record, user }))
}
