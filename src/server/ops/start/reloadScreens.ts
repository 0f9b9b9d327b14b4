import type { FastifyInstance } from 'fastify'
import { loadContract } from '../../../check/load.ts'
import type { Contract } from '../../../contract/contract.ts'
import { printProblem } from '../../../contract/locate.ts'
import { rootFolder } from '../../core/rootFolder.ts'
import type { Settings } from '../../core/settings.ts'
import { HANDLERS } from '../../features/handlers.ts'
import { broadcastContract, broadcastMistake } from '../../http/dev.ts'
import { missingColumns, type Tables } from '../migrate/compareEntities.ts'
import { withPurgeRoles } from './purgeRoles.ts'

/** Parts of the contract that routes are registered from at start. */
const ROUTED = ['endpoints', 'lookups', 'query'] as const

/**
 * In development, validates changed screens and schemas and swaps them in every open page. Errors are displayed in the
 * pages and the console instead. Changed calls make the parent process restart the server.
 */
export function reloadScreens(
  { app, contract, tables }: { app: FastifyInstance; contract: Contract; tables: Tables },
  settings: Settings,
): void {
  let address = app.swapContract(contract)
  let current: string | null = null
  const show = (text: string | null) => {
    if (text === current) return
    current = text
    if (text !== null) console.error(text)
    broadcastMistake('contract', text)
  }
  const check = () => {
    const started = performance.now()
    const { fresh, text } = read(settings, tables)
    show(text)
    if (!fresh) return
    if (ROUTED.some((part) => JSON.stringify(fresh[part]) !== JSON.stringify(contract[part]))) {
      process.send?.('restart')
      return
    }
    Object.assign(contract, fresh)
    const before = address
    address = app.swapContract(contract)
    if (address === before) return
    broadcastContract(address)
    console.log(`Screens swapped in ${Math.round(performance.now() - started)} ms`)
  }
  process.on('message', ({ event }: { event: string }) => {
    if (event === 'check') check()
  })
  // For changes while the server started.
  check()
}

function read(settings: Settings, tables: Tables): { fresh?: Contract; text: string | null } {
  try {
    const { contract, problems } = loadContract(rootFolder(), Object.keys(HANDLERS))
    if (problems.length > 0) return { text: problems.map(printProblem).join('\n') }
    const missing = missingColumns(contract, tables)
    if (missing.length > 0) return { text: missing.map(printProblem).join('\n') }
    return { fresh: withPurgeRoles(contract, settings), text: null }
  } catch (error) {
    // A file was deleted while it was read; when it is back that is another change.
    return { text: (error as Error).message }
  }
}
