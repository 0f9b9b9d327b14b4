import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StartProblem } from '../../core/startProblem.ts'
import { type Binary, program } from './binary.ts'

/** The account that PostgreSQL runs as: a command prefix, or another user; neither if we are not root. */
export interface Account {
  prefix: string[]
  uid?: number
  gid?: number
}

const ourselves: Account = { prefix: [] }

// PostgreSQL refuses to run as root. In a user namespace root's own files appear as owned by 65534, without a new user
// or chown.
const mapped: Account = { prefix: ['unshare', '-U', '--map-user=65534', '--map-group=65534', '--'] }

/** Chooses an account that can run PostgreSQL on the data folder, and the folder of the programs for it. */
export function chooseAccount(binary: Binary, folder: string): { account: Account; native: string } {
  if (process.getuid?.() !== 0) return { account: ourselves, native: binary.native }
  for (const account of candidates(folder)) {
    allowTraversal(dirname(folder), account)
    if (!succeeds(account, 'test', '-x', dirname(folder))) continue
    if (runs(account, binary.native)) return { account, native: binary.native }
    const native = copyForOthers(binary)
    if (runs(account, native)) return { account, native }
  }
  throw new StartProblem(
    `PostgreSQL does not run as root, and no other account here can reach ${folder}. Start the app as an ` +
      'ordinary user, set DATA_DIR to a folder such as /var/lib/advocacy, or set DATABASE_URL to a ' +
      'PostgreSQL server of your own.',
  )
}

/** Makes the account the owner of a folder and its contents. */
export function changeOwner(account: Account, folder: string): void {
  if (account.uid === undefined || statSync(folder).uid === account.uid) return
  spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, folder])
}

// The owner of existing data stays its owner: in the user namespace its files would be unreadable.
function candidates(folder: string): Account[] {
  const [data, ...around] = ownersOf(folder, dirname(folder), dirname(dirname(folder)))
  if (data) return [data]
  return [mapped, ...around.flatMap((owner) => owner ?? []), ...users(['postgres', 'nobody'])]
}

// undefined if root owns the path or it does not exist.
function ownersOf(...paths: string[]): (Account | undefined)[] {
  return paths.map((path) => {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat && stat.uid !== 0 ? { prefix: [], uid: stat.uid, gid: stat.gid } : undefined
  })
}

function users(names: string[]): Account[] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  return names.flatMap((name) => {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    return uid && gid ? [{ prefix: [], uid: Number(uid), gid: Number(gid) }] : []
  })
}

// Lets the account's group traverse, but not read, our own 0700 folder around the data.
function allowTraversal(parent: string, { gid }: Account): void {
  const { uid, mode } = statSync(parent)
  if (gid === undefined || uid !== 0 || (mode & 0o077) !== 0) return
  chownSync(parent, 0, gid)
  chmodSync(parent, 0o710)
}

function runs(account: Account, native: string): boolean {
  return succeeds(account, program(native, 'postgres'), '--version')
}

function succeeds({ prefix, uid, gid }: Account, ...command: string[]): boolean {
  const [file, ...args] = [...prefix, ...command]
  return spawnSync(file, args, { uid, gid, cwd: '/', timeout: 10_000 }).status === 0
}

// Other accounts cannot reach node_modules in /root or in a private home folder.
function copyForOthers({ native, version }: Binary): string {
  const target = `/var/lib/advocacy-postgres-${version}`
  if (existsSync(target)) return target
  const unfinished = `${target}.${process.pid}`
  spawnSync('cp', ['-R', native, unfinished])
  spawnSync('chmod', ['-R', 'a+rX', unfinished])
  try {
    renameSync(unfinished, target)
  } catch {
    rmSync(unfinished, { recursive: true, force: true })
  }
  return target
}
