import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Product {
  address: string
  /** Token of the one-time set-up link, if one was printed. */
  setup: string | undefined
  process: ChildProcess
  output(): string
  /** Sends a signal and returns the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts the built product (dist/server.js) as a process and waits until it prints its address. */
export async function startProduct(env: Record<string, string>, server = 'dist/server.js'): Promise<Product> {
  const process_ = spawnProduct(env, server)
  let output = ''
  process_.stdout!.on('data', (text) => {
    output += text
  })
  process_.stderr!.on('data', (text) => {
    output += text
  })
  const exited = once(process_, 'exit')
  await new Promise<void>((resolve, reject) => {
    process_.stdout!.on('data', () => output.includes('Ctrl-C stops it') && resolve())
    process_.once('exit', (code) => reject(new Error(`exited with ${code}: ${output}`)))
  })
  return {
    address: output.match(/runs at (\S+)/)![1],
    setup: output.match(/\/setup\/(\S+)/)?.[1],
    process: process_,
    output: () => output,
    end: async (signal) => {
      process_.kill(signal)
      const [code] = await exited
      return code
    },
  }
}

/** Starts the product expecting that it fails; returns its error output and exit code. */
export async function failToStart(
  env: Record<string, string>,
  server = 'dist/server.js',
): Promise<{ code: number; words: string }> {
  const process_ = spawnProduct(env, server)
  let words = ''
  process_.stderr!.on('data', (text) => {
    words += text
  })
  const [code] = await once(process_, 'exit')
  return { code, words: words.trim() }
}

/** Starts the product as a process and returns at once. */
export function spawnProduct(env: Record<string, string>, server = 'dist/server.js'): ChildProcess {
  const clean = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|DATABASE_URL|DEV)/.test(name)),
  )
  return spawn(process.execPath, [server], {
    env: {
      ...clean,
      LOG_LEVEL: 'silent',
      PORT: '0',
      DEMO: '0',
      PASSWORD_COST: '10',
      ...env,
    } as NodeJS.ProcessEnv,
  })
}
