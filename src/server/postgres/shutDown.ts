import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { program } from './binary.ts'

/** Ends the server: fast (open transactions are rolled back), after ten seconds at once. */
export async function shutDown(pid: number, folder: string, native: string): Promise<void> {
  if (process.platform === 'win32') return shutDownOnWindows(folder, native)
  for (const [signal, seconds] of [
    ['SIGINT', 10],
    ['SIGQUIT', 5],
  ] as const) {
    process.kill(pid, signal)
    if (await ends(pid, seconds)) return
  }
  throw new Error(
    `PostgreSQL (process ${pid}) does not end. Its data is safe; end it with "kill -QUIT ${pid}".`,
  )
}

async function ends(pid: number, seconds: number): Promise<boolean> {
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
    // An adopted server is no child of ours: whoever should collect it when it is dead may take long.
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

// Node has no signals on Windows: kill() would be a power cut.
function shutDownOnWindows(folder: string, native: string): void {
  for (const mode of ['fast', 'immediate']) {
    const { status } = spawnSync(program(native, 'pg_ctl'), ['stop', '-D', folder, '-m', mode, '-t', '10'])
    if (status === 0) return
  }
  throw new Error(
    `PostgreSQL on ${folder} does not end. Its data is safe; end "postgres.exe" in the task manager.`,
  )
}
