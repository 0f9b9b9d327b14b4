import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { readSettings } from '../../src/server/core/settings.ts'

const DEPLOY = 'src/server/ops/deploy'
const read = (name: string) => readFileSync(`${DEPLOY}/${name}`, 'utf8')

interface Service {
  networks: string[]
  ports?: string[]
  secrets?: string[]
  environment?: Record<string, string>
}

const compose = parse(read('compose.yaml'), { merge: true }) as {
  services: Record<string, Service>
  networks: Record<string, { internal?: boolean }>
  secrets: Record<string, unknown>
}
const services = Object.entries(compose.services)
const namesOn = (network: string) =>
  services.filter(([, { networks }]) => networks.includes(network)).map(([name]) => name)

it('the database is on a network without a way out, which the proxy does not reach', () => {
  expect(compose.networks.database).toEqual({ internal: true })
  expect(namesOn('database')).toEqual(['database', 'migrate', 'app1', 'app2'])
  expect(namesOn('web')).toEqual(['app1', 'app2', 'proxy'])
  expect(services.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['proxy'])
})

it('every secret that a service names is given to it, and no other', () => {
  for (const [name, { environment = {}, secrets = [] }] of services) {
    const named = Object.entries(environment).flatMap(([setting, path]) =>
      setting.endsWith('_FILE') ? path.replace('/run/secrets/', '') : [],
    )
    expect([name, [...secrets].sort()]).toEqual([name, named.sort()])
  }
  const given = new Set(services.flatMap(([, { secrets = [] }]) => secrets))
  expect(Object.keys(compose.secrets).sort()).toEqual([...given].sort())
})

it('the servers know every setting that they are given', () => {
  const { DATABASE_URL_FILE: _, SMTP_URL_FILE: __, ...settings } = compose.services.app1.environment!
  expect(readSettings(settings)).toMatchObject({ MIGRATE: 0, TRUST_PROXY: '1', METRICS_PORT: 9464 })
})

it('what an installation writes into the folder gets neither into an image nor into the repository', () => {
  for (const file of ['.gitignore', `${DEPLOY}/Dockerfile.dockerignore`]) {
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.replace(/\/$/, ''))
    expect([file, lines]).toEqual([file, expect.arrayContaining([`${DEPLOY}/secrets`, `${DEPLOY}/.env`])])
  }
})

it('the unit is started again without end while the database is away', () => {
  const unit = read('advocacy-casework.service')
  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m)
  expect(unit).toMatch(/^Restart=on-failure$/m)
  expect(unit).toMatch(/^RestartSec=5$/m)
})
