import { parseArgs } from 'node:util'
import { loadContract } from '../../../check/load.ts'
import { openDatabase } from '../../core/db.ts'
import { rootFolder } from '../../core/rootFolder.ts'
import type { Settings } from '../../core/settings.ts'
import { StartProblem } from '../../core/startProblem.ts'
import { today } from '../../core/today.ts'
import { settingsOrRefuse } from '../command/settingsOrRefuse.ts'
import { withDatabase } from '../command/withDatabase.ts'
import { migrateOrRefuse } from '../migrate/migrateOrRefuse.ts'
import { fillDefaults } from './defaults.ts'
import { fillDemo } from './demo.ts'
import { emptyTables, whatIsThere } from './emptyTables.ts'

const USAGE = `npm run demo -- [--clients 300] [--replace]
Fills the database of DATA_DIR or DATABASE_URL with invented data.
  --clients   how many; 100000 take a few minutes
  --replace   deletes all staff, clients and cases first`

interface Arguments {
  clients: number
  replace: boolean
  help: boolean
}

async function main(): Promise<void> {
  const options = readArguments()
  if (options.help) return console.log(USAGE)
  const settings = settingsOrRefuse()
  await withDatabase(settings, 'exclusive', async (url, superuserUrl) => {
    await migrateOrRefuse(url)
    // A superuser can disable triggers, which halves the time.
    await fill(superuserUrl, settings, options)
  })
}

async function fill(url: string, settings: Settings, { clients, replace }: Arguments): Promise<void> {
  const { slow: db, close } = openDatabase(url)
  try {
    await fillDefaults(db)
    if (replace) await emptyTables(db)
    const found = await whatIsThere(db)
    if (found) throw new StartProblem(`${found} With --replace they are deleted first.`)
    const began = Date.now()
    const seconds = () => `${((Date.now() - began) / 1000).toFixed(1)} s`
    await fillDemo(db, {
      contract: loadContract(rootFolder()).contract,
      clients,
      password: settings.DEMO_PASSWORD,
      passwordCost: settings.PASSWORD_COST,
      today: today(settings.TIME_ZONE),
      onProgress: (text) => console.log(`${seconds().padStart(8)}  ${text}`),
    })
    console.log(`Filled with ${clients} clients in ${seconds()}.`)
  } finally {
    await close()
  }
}

function readArguments(): Arguments {
  try {
    const { values } = parseArgs({
      options: {
        clients: { type: 'string', default: '300' },
        replace: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (!/^\d{1,7}$/.test(values.clients))
      throw new Error(`--clients must be a number of clients, not '${values.clients}'.`)
    return { ...values, clients: Number(values.clients) }
  } catch (error) {
    throw new StartProblem(`${(error as Error).message}\n${USAGE}`)
  }
}

main().catch((error) => {
  console.error(error instanceof StartProblem ? error.message : error)
  process.exit(1)
})
