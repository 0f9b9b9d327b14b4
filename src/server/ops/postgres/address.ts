import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Account } from './account.ts'

/** Where the server listens: a Unix socket in a private folder; on Windows a loopback port. */
export interface Address {
  port: number
  socketFolder?: string
  password?: string
}

const socketFolderName = 'advocacy-pg-'

/** Makes a new address, with a socket folder that the account can write to. */
export async function newAddress(folder: string, account: Account): Promise<Address> {
  if (process.platform === 'win32') return { port: await freePort(), password: password(folder) }
  const self = account.prefix.length === 0 && account.uid === undefined
  // A socket's path may have 107 bytes (103 on macOS), and another account may have no access to our TMPDIR.
  const parent = self && tmpdir().length <= 70 ? tmpdir() : '/tmp'
  const socketFolder = mkdtempSync(join(parent, socketFolderName))
  giveTo(account, socketFolder)
  return { port: 5432, socketFolder }
}

/** Makes the socket folder of an address again if another copy has removed it with the server that it stopped. */
export function restoreSocketFolder({ socketFolder }: Address, account: Account): void {
  if (!socketFolder || existsSync(socketFolder)) return
  mkdirSync(socketFolder, { mode: 0o700 })
  giveTo(account, socketFolder)
}

function giveTo({ uid, gid }: Account, socketFolder: string): void {
  if (uid !== undefined) chownSync(socketFolder, uid, gid!)
}

/** The role that initdb creates. */
export const SUPERUSER = 'app'

/** The connection string of a database at an address, independent of PG… variables in the environment. */
export function urlOf({ port, socketFolder, password }: Address, database: string, role: string): string {
  const host = socketFolder ? `&host=${encodeURIComponent(socketFolder)}` : ''
  const user = password ? `${role}:${password}` : role
  return `postgres://${user}@127.0.0.1:${port}/${database}?sslmode=disable${host}`
}

/** Removes the socket folder of a server that has ended. */
export function removeSocketFolder({ port, socketFolder }: Address): void {
  if (!socketFolder || !basename(socketFolder).startsWith(socketFolderName)) return
  try {
    // Not recursively: after a crash somebody else may have created a folder of that name.
    for (const end of ['', '.lock']) rmSync(join(socketFolder, `.s.PGSQL.${port}${end}`), { force: true })
    rmdirSync(socketFolder)
  } catch {
    // gone already, or not ours
  }
}

export function removeUnused({ socketFolder }: Address): void {
  try {
    if (socketFolder) rmdirSync(socketFolder)
  } catch {
    // a server uses it after all
  }
}

/** The password of the Windows server, created on first use and stored beside the data folder. */
export function password(folder: string): string {
  const file = passwordFile(folder)
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { flag: 'wx', mode: 0o600 })
  return readFileSync(file, 'utf8')
}

export function passwordFile(folder: string): string {
  return `${folder}.password`
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
