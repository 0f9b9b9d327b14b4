import { parentPort, workerData } from 'node:worker_threads'
import { backUpSlot, type ScheduledBackup } from './startBackups.ts'

export interface BackupThreadData {
  backup: Pick<ScheduledBackup, 'url' | 'settings' | 'slot'>
}

/** True in a thread that writes a backup. */
export function isBackupThread(): boolean {
  return 'backup' in workerData
}

/** The main function of the worker thread. */
export async function runBackupThread(): Promise<void> {
  const { backup } = workerData as BackupThreadData
  const ending = new AbortController()
  parentPort!.once('message', () => ending.abort())
  const log =
    (level: string) =>
    (...line: unknown[]) =>
      parentPort!.postMessage([level, ...line])
  await backUpSlot({
    ...backup,
    log: { info: log('info'), error: log('error') },
    ending: ending.signal,
  }).finally(() => parentPort!.close())
}
