import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { type Address, password, SUPERUSER, urlOf } from './address.ts'
import { ROLE } from './role.ts'

export const DATABASE = 'advocacy'

/** A running server of the data folder, with a connection to its database "postgres". */
export interface Running {
  pid: number
  address: Address
  client: Client
}

/** Process id and address in postmaster.pid, whether or not the server is alive; undefined without a complete file. */
export function readPidFile(folder: string): { pid: number; address: Address } | undefined {
  let lines: string[]
  try {
    lines = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return undefined
  }
  const [pid, , , port, socketFolder] = lines
  if (!Number(pid) || !Number(port)) return undefined
  if (process.platform !== 'win32') return { pid: Number(pid), address: { port: Number(port), socketFolder } }
  return { pid: Number(pid), address: { port: Number(port), password: password(folder) } }
}

/** Addresses of the database "advocacy", for the product's role and for the superuser. */
export function urlsOf(address: Address): { url: string; superuserUrl: string } {
  return { url: urlOf(address, DATABASE, ROLE), superuserUrl: urlOf(address, DATABASE, SUPERUSER) }
}

/** The same of a server that another process has started on the data folder; undefined if there is none. */
export function urlsOfRunning(folder: string): { url: string; superuserUrl: string } | undefined {
  const written = readPidFile(folder)
  return written && urlsOf(written.address)
}

/**
 * Connects to the server of the data folder; "busy" while it starts, recovers or shuts down, undefined if none runs.
 */
export async function findRunning(folder: string): Promise<Running | 'busy' | undefined> {
  const written = readPidFile(folder)
  if (!written) return undefined
  const client = new Client({
    connectionString: urlOf(written.address, 'postgres', SUPERUSER),
    application_name: `owner ${process.pid}`,
    connectionTimeoutMillis: 5000,
  })
  client.on('error', () => {}) // its "end" follows
  try {
    await client.connect()
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    if (realpathSync(rows[0].data_directory) === realpathSync(folder)) return { ...written, client }
    await client.end()
    return undefined
  } catch (error) {
    await client.end().catch(() => {})
    return (error as { code?: string }).code === '57P03' ? 'busy' : undefined
  }
}
