import { isMainThread } from 'node:worker_threads'
import { settingsHelp, unknownSettings } from '../core/settings.ts'
import { StartProblem } from '../core/startProblem.ts'
import { runUploadThread } from '../features/bulk/uploadThread.ts'
import { isBackupThread, runBackupThread } from './backup/backupThread.ts'
import { settingsOrRefuse } from './command/settingsOrRefuse.ts'
import { migrateDatabase } from './migrate/migrateDatabase.ts'
import { insecureSettings } from './start/insecureSettings.ts'
import { reloadScreens } from './start/reloadScreens.ts'
import { start } from './start/start.ts'
import { welcome } from './start/welcome.ts'

const STOP_TIMEOUT_MS = 15_000
/** Marks the contract as checked by this build; a new build deletes it (src/build/stale.mjs). */
const CHECKED = 'dist/.checked'

async function main(): Promise<void> {
  if (process.argv.slice(2).some((arg) => arg === '--help' || arg === '-h'))
    return console.log(settingsHelp())
  for (const words of unknownSettings(process.env)) console.warn(words)
  const settings = settingsOrRefuse()
  if (process.argv.includes('--migrate')) {
    const applied = await migrateDatabase(settings)
    return console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.')
  }
  const isDev = process.env.DEV === '1'
  // In development every change of a contract rule makes a new program, which must check the contract again.
  const running = await start(settings, {
    file: new URL(import.meta.url),
    checked: isDev ? undefined : CHECKED,
  })
  if (isDev) reloadScreens(running, settings)
  for (const words of [...insecureSettings(settings, running.demo), ...running.warnings]) console.warn(words)
  console.log(welcome(running, settings))
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
    await running.stop()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
}

if (isMainThread)
  main().catch((error) => {
    console.error(error instanceof StartProblem ? error.message : error)
    process.exit(1)
  })
else void (isBackupThread() ? runBackupThread() : runUploadThread())
