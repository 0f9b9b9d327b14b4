import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { until } from './postgres.ts'
import { freePort, type Running, run, startProgram, unprivileged } from './programs.ts'

const [KEY, SECRET, REGION, BUCKET] = ['test:tester', 'testing', 'eu-west-2', 'files']
const PARTS = ['account', 'container', 'object'] as const

export interface Swift {
  /** FILES_URL of a folder in its bucket, by its own or another secret. */
  url(folder: string, secret?: string): string
  /** Stops taking in and giving out objects, and does so again. */
  pause(): void
  goOn(): void
  end(): Promise<void>
}

/** OpenStack's object storage with its S3 interface: one disk, one copy, an empty bucket. */
export async function startSwift(): Promise<Swift> {
  // It writes extended attributes, which a file system in memory may not have.
  const folder = mkdtempSync(join(tmpdir(), 'swift-'))
  const [etc, disks] = [join(folder, 'etc'), join(folder, 'disks')]
  const { uid, gid } = unprivileged()
  for (const one of [folder, etc, disks, join(disks, 'd1')]) {
    mkdirSync(one, { recursive: true })
    if (uid !== undefined) chownSync(one, uid, gid!)
  }
  const general = (port: number) => `
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${uid === undefined ? userInfo().username : 'postgres'}
swift_dir = ${etc}
devices = ${disks}
mount_check = false
log_level = WARNING
`
  const running: Record<string, Running> = {}
  const start = (part: string, port: number, rest: string) => {
    const file = join(etc, `${part}-server.conf`)
    writeFileSync(file, general(port) + rest)
    running[part] = startProgram(`swift-${part}-server`, file)
  }
  for (const part of PARTS) {
    const port = await freePort()
    const builder = join(etc, `${part}.builder`)
    run('swift-ring-builder', builder, 'create', '4', '1', '1')
    run('swift-ring-builder', builder, 'add', `r1z1-127.0.0.1:${port}/d1`, '1')
    run('swift-ring-builder', builder, 'rebalance')
    start(
      part,
      port,
      `[pipeline:main]\npipeline = ${part}-server\n[app:${part}-server]\nuse = egg:swift#${part}\n`,
    )
  }
  const port = await freePort()
  const filters = 'catch_errors gatekeeper memcache listing_formats bulk s3api tempauth copy slo dlo'.split(
    ' ',
  )
  const settings: Record<string, string> = {
    // It asks for a cache and does without one that is not there.
    memcache: 'memcache_servers = 127.0.0.1:1',
    s3api: `location = ${REGION}`,
    tempauth: `user_${KEY.replace(':', '_')} = ${SECRET} .admin`,
  }
  start(
    'proxy',
    port,
    [
      `[pipeline:main]\npipeline = ${filters.join(' ')} proxy-server`,
      '[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true',
      ...filters.map((name) => `[filter:${name}]\nuse = egg:swift#${name}\n${settings[name] ?? ''}`),
    ].join('\n'),
  )
  const end = async () => {
    running.object.process.kill('SIGCONT')
    for (const one of Object.values(running)) await one.end('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
  const client = new S3Client({
    endpoint: `http://127.0.0.1:${port}`,
    region: REGION,
    credentials: { accessKeyId: KEY, secretAccessKey: SECRET },
    forcePathStyle: true,
  })
  try {
    await until(async () => !!(await client.send(new CreateBucketCommand({ Bucket: BUCKET }))), 60)
  } catch {
    const said = Object.entries(running).map(([part, { output }]) => `${part}: ${output()}`)
    await end()
    throw new Error(`Swift does not answer.\n${said.join('\n')}`)
  }
  client.destroy()
  return {
    url: (into, secret = SECRET) =>
      `s3://${encodeURIComponent(KEY)}:${secret}@127.0.0.1:${port}/${BUCKET}/${into}?region=${REGION}&tls=0`,
    pause: () => running.object.process.kill('SIGSTOP'),
    goOn: () => running.object.process.kill('SIGCONT'),
    end,
  }
}
