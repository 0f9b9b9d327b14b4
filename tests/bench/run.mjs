import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { cleanUp } from './cleanUp.mjs'

const HELP = `npm run bench [-- calls | search | growth | casework | forms | feel | constructor | hostile | bulk | indexing | soak] [options]
  calls   requests a second against a bare Fastify and pg server that runs the same SQL
    --clients N      clients of the filled database (BENCH_CLIENTS, 200000)
    --rounds N       measured rounds a scenario; the median counts (5)
    --calls NAME     only calls with this in their name
  search  every search, the worklist, deadlines and My Team with 8 connections, as an administrator, a manager, a hub adviser and an advocate
    --clients N      as above
    --rounds N       as above, of 4 seconds each; at most 3
    --calls NAME     only searches with this in their name
    --database URL   on this filled database, which is kept with the sessions and without the limits of the run
  growth  every call that reads, and every order of a list, on 10000 clients and on many, as the same four
    --clients N, --rounds N, --calls NAME, --database URL   as above, of the large database
  casework  chronology, client page and issue save against bare SQL, and how they grow with the actions
    --actions N      actions of the larger of two databases; the smaller has 10000 (1000000)
    --rounds N       as above
  forms   the form engine against the same form by hand, in Chromium
    --sizes A,B      fields of the form (60,200,500)
    --reps N         measured browsers a form of ours and by hand (5); others are measured twice
    --calculated N   so many calculated fields beside them, in ours and the form by hand (0)
    --engines A,B    only these beside the form by hand, as tables name them ('ours,react-hook-form'); else all
  feel    how long a person waits for pages, in Chromium on the demo data
    --rounds N       as above
  constructor  opening a large form and each action in it, publication to visible, 10000 staff
    --fields N       fields of the form, at most 1980 (500)
    --shape NAME     'rich': with groups two deep, conditions, calculations, checks and repeats
    --rounds N       as above
  hostile  the event loop's longest delay while every call is sent hostile requests
    --rounds N       times that a slow request is tried; its fastest counts (5)
    --calls NAME     only calls with this in their name
  bulk    an upload of 10000 cases, and other people's calls meanwhile
    --clients N      as above
    --database URL   as above; the cases stay in it
  indexing  the answers of all cases, as after a publication, and other people's calls meanwhile
    --clients N      as above; 139000 have 200000 cases
    --database URL   as above
  soak    a day's calls of 100 people within an hour; only when named
    --minutes N      how long (60)
    --clients N      as above
    --database URL   as above; what is written stays in it`

const PARTS = {
  calls: './calls/run.mjs',
  search: './search/run.mjs',
  growth: './growth/run.mjs',
  casework: './casework/run.mjs',
  forms: './forms/run.mjs',
  feel: './feel/run.mjs',
  constructor: './constructor/run.mjs',
  hostile: './hostile/run.mjs',
  bulk: './bulk/run.mjs',
  indexing: './indexing/run.mjs',
  soak: './soak/run.mjs',
}
/** Parts that take too long to be run beside the others. */
const ALONE = ['soak']

/** Peers live in a lock file of their own, so that the product's installation stays small. */
function installPeers() {
  const here = import.meta.dirname
  if (existsSync(path.join(here, 'node_modules'))) return
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  execFileSync(npm, ['ci', '--prefix', here, '--no-audit', '--no-fund'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h' },
    clients: { type: 'string', default: process.env.BENCH_CLIENTS ?? '200000' },
    minutes: { type: 'string', default: '60' },
    actions: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    sizes: { type: 'string', default: '60,200,500' },
    fields: { type: 'string', default: '500' },
    shape: { type: 'string', default: 'plain' },
    calls: { type: 'string', default: '' },
    database: { type: 'string' },
    reps: { type: 'string', default: '5' },
    engines: { type: 'string' },
    calculated: { type: 'string', default: '0' },
  },
})
const asked =
  positionals.length > 0 ? positionals : Object.keys(PARTS).filter((name) => !ALONE.includes(name))
if (values.help || asked.some((name) => !PARTS[name])) {
  console.log(HELP)
  process.exit(values.help ? 0 : 1)
}

process.chdir(path.join(import.meta.dirname, '../..'))
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => cleanUp().finally(() => process.exit(1)))
try {
  installPeers()
  for (const name of asked) await (await import(PARTS[name])).run(values)
} finally {
  await cleanUp()
}
