import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'

const POSTGRESQL = '/usr/lib/postgresql'
const OTHERS = ['/usr/sbin', '/usr/bin']
/** Folder of the programs of the PostgreSQL to test on, instead of the newest of Debian's. */
const CHOSEN = process.env.TEST_POSTGRES

/** Path of a program of TEST_POSTGRES, or of one of Debian's packages. */
export function program(name: string): string {
  const versions = existsSync(POSTGRESQL) ? readdirSync(POSTGRESQL).sort((a, b) => Number(b) - Number(a)) : []
  const debian = versions.map((version) => join(POSTGRESQL, version, 'bin'))
  const folders = [...(CHOSEN ? [resolve(CHOSEN)] : []), ...debian, ...OTHERS]
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  if (found) return found
  throw new Error(`There is no ${name}. CONTRIBUTING.md lists the Debian packages that these tests need.`)
}

/** Whether a program is in the same folder as another: those of one PostgreSQL. */
export function isBeside(name: string, other: string): boolean {
  return existsSync(join(dirname(program(name)), other))
}

/** The user that the programs run as: they refuse to be root. */
export function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const id = (what: string) => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** Runs a program to its end; throws with what it printed where it fails. */
export function run(name: string, ...args: string[]): string {
  return execFileSync(program(name), args, { ...unprivileged(), encoding: 'utf8', stdio: 'pipe' })
}

export interface Running {
  process: ChildProcess
  output(): string
  end(signal: NodeJS.Signals): Promise<void>
}

/** Starts a program that runs on. */
export function startProgram(name: string, ...args: string[]): Running {
  return startWith({}, name, ...args)
}

/** Starts a program that runs on, with more in its environment. */
export function startWith(env: Record<string, string>, name: string, ...args: string[]): Running {
  const child = spawn(program(name), args, {
    ...unprivileged(),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text
    })
  const exited = once(child, 'exit')
  return {
    process: child,
    output: () => output,
    end: async (signal) => {
      child.kill(signal)
      if (child.exitCode === null && child.signalCode === null) await exited
    },
  }
}

/** A port of this machine that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
