import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Contract } from '../contract/contract.ts'
import { loadContract } from '../contract/load.ts'
import { printProblem } from '../contract/locate.ts'
import { tell, watchScreens } from './dev.ts'
import { rootFolder } from './rootFolder.ts'

/** While developing: a changed screen or schema is checked, then swapped in every open page; a wrong one is shown and not swapped. */
export function reloadScreens({ app, contract }: { app: FastifyInstance; contract: Contract }): void {
  const root = rootFolder()
  const reload = () => {
    const { contract: fresh, problems } = loadContract(root)
    if (problems.length > 0) {
      const text = problems.map(printProblem).join('\n')
      console.error(text)
      tell('fail', text)
      return
    }
    Object.assign(contract, fresh)
    tell('fail', null)
    tell('screen', { address: app.swapContract(contract) })
  }
  for (const folder of ['screens', 'schemas']) watchScreens(join(root, folder), reload)
}
