import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { program } from './binary.ts'

/** Stops the server in fast mode (open transactions are rolled back), after ten seconds in immediate mode. */
export async function shutDown(pid: number, folder: string, native: string): Promise<void> {
  if (process.platform === 'win32') return shutDownOnWindows(folder, native)
  for (const [signal, seconds] of [
    ['SIGINT', 10],
    ['SIGQUIT', 5],
  ] as const) {
    process.kill(pid, signal)
    if (await endsWithin(pid, seconds)) return
  }
  throw new Error(
    `PostgreSQL (process ${pid}) does not end. Its data is safe; end it with "kill -QUIT ${pid}".`,
  )
}

async function endsWithin(pid: number, seconds: number): Promise<boolean> {
  const end = Date.now() + seconds * 1000
  while (isAlive(pid)) {
    if (Date.now() > end) return false
    await sleep(10)
  }
  return true
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A dead server may stay a zombie: an adopted one is no child of ours, and its parent may reap it late.
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

// Node has no signals on Windows: kill() would terminate the server at once.
function shutDownOnWindows(folder: string, native: string): void {
  for (const mode of ['fast', 'immediate']) {
    const { status } = spawnSync(program(native, 'pg_ctl'), ['stop', '-D', folder, '-m', mode, '-t', '10'])
    if (status === 0) return
  }
  throw new Error(
    `PostgreSQL on ${folder} does not end. Its data is safe; end "postgres.exe" in the task manager.`,
  )
}
