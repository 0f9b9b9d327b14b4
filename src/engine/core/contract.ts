import { createContext, useContext } from 'react'
import type { Contract } from '../../contract/contract.ts'

/** The contract, provided by the shell, which replaces it on hot reload in development. */
export const ContractContext = createContext<Contract | undefined>(undefined)

/** The contract: entities, endpoints, lookups, screens by name. */
export function useContract(): Contract {
  const contract = useContext(ContractContext)
  if (!contract) throw new Error('No contract: wrap this in ContractContext')
  return contract
}
