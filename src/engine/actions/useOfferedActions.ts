import { useContext } from 'react'
import type { Action } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { useContract } from '../core/contract.ts'
import { MayChangeContext } from '../core/mayChange.ts'
import { useUser } from '../core/user.ts'
import { isOffered } from './isOffered.ts'

/** The actions that the user's roles, the page's record and the state of this one allow. */
export function useOfferedActions(actions: Action[], record?: Values): Action[] {
  const contract = useContract()
  const user = useUser()
  const mayChange = useContext(MayChangeContext)
  return actions.filter((action) => isOffered(contract, action, { record, user, mayChange }))
}
