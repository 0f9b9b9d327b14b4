import { createContext, useContext } from 'react'
import type { Contract } from '../../contract/contract.ts'

/** The contract at hand; the shell provides it, and swaps it while developing. */
export const ContractContext = createContext<Contract | undefined>(undefined)

/** The contract: entities, endpoints, lookups, screens by name. */
export function useContract(): Contract {
  const contract = useContext(ContractContext)
  if (!contract) throw new Error('No contract: wrap this in ContractContext')
  return contract
}
