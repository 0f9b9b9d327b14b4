import { execFileSync } from 'node:child_process'
import { loadContract } from '../../src/check/load.ts'
import { type Caller, signIn } from '../server/context.ts'
import { type Product, startProduct } from '../server/product.ts'
import { until } from './postgres.ts'

export const { contract } = loadContract(process.cwd())
export const PASSWORD = 'advocacy-demo'

export interface Servers {
  products: Product[]
  /** An advocate at each server in turn. */
  advocates: Caller[]
  /** Resident memory in MB, of each server. */
  memory(): number[]
  end(): Promise<void>
}

/** Starts servers with the demo data on a database, one for each environment, the first of which fills it. */
export async function startServers(url: string, envs: Record<string, string>[] = [{}, {}]): Promise<Servers> {
  const products: Product[] = []
  for (const env of envs)
    products.push(await startProduct({ DATABASE_URL: url, DEMO: '1', POOL_SIZE: '10', ...env }))
  const advocates = await Promise.all(
    products.map(({ address }) => signIn(contract, address, 'advocate', PASSWORD)),
  )
  return {
    products,
    advocates,
    memory: () => products.map(({ process: { pid } }) => memoryOf(pid!)),
    end: async () => {
      for (const product of products) await product.end('SIGTERM')
    },
  }
}

/** Waits until a server has answered a call, by the metrics at a port: then its proxy leads to it. */
export async function untilAnswers(metricsPort: string, call: string): Promise<void> {
  await until(async () => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    return text.includes(`casework_call_seconds_count{call="${call}"`)
  }, 100)
}

function memoryOf(pid: number): number {
  const kilobytes = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  return Math.round(Number(kilobytes) / 1024)
}

/** Prints what a fault did in one line: 'locked table: 120 writes acknowledged, 0 lost, …'. */
export function printFigures(fault: string, figures: Record<string, unknown>): void {
  const words = Object.entries(figures).map(([name, value]) => `${name} ${text(value)}`)
  console.log(`${fault}: ${words.join(', ')}`)
}

function text(value: unknown): string {
  if (Array.isArray(value)) return value.join(' and ')
  if (typeof value !== 'object' || value === null) return String(value)
  const parts = Object.entries(value).map(([name, count]) => `${name} × ${count}`)
  return parts.join(' + ') || 'none'
}
