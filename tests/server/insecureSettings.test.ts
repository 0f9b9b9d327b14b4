import { describe, expect, it } from 'vitest'
import { readSettings } from '../../src/server/core/settings.ts'
import { insecureSettings } from '../../src/server/ops/start/insecureSettings.ts'

const warned = (env: Record<string, string>, demo = false) =>
  insecureSettings(readSettings(env), demo).map((words) => words.split(':')[0])

const DEMO = 'Others can reach the demo sign-ins, whose password everybody knows'
const PLAIN = 'Others reach the product without TLS'
const HTTPS = { PUBLIC_URL: 'https://casework.example.org' }

describe('a start warns', () => {
  it.each<[Record<string, string>, boolean, string[]]>([
    [{ HOST: '0.0.0.0' }, false, [PLAIN]],
    [{ HOST: '0.0.0.0' }, true, [DEMO, PLAIN]],
    [{ PUBLIC_URL: 'http://casework.example.org' }, false, [PLAIN]],
    [HTTPS, true, [DEMO]],
    [
      { ...HTTPS, ADDRESS_URL: 'http://addresses.example.org/' },
      false,
      ['ADDRESS_URL is called without TLS'],
    ],
    [{ FILES_URL: 's3://a:b@store.example.org/c?tls=0' }, false, ['FILES_URL is called without TLS']],
    [{ ...HTTPS, BACKUP_DIR: '/srv/backups' }, false, ['Backups in BACKUP_DIR are not encrypted']],
    [{ OTLP_URL: 'http://collector.example.org:4318' }, false, ['OTLP_URL is called without TLS']],
    [{ DATABASE_URL: 'postgres://a:b@db.example.org/c' }, false, ['DATABASE_URL connects without TLS']],
    [
      { DATABASE_URL: 'postgres://a:b@db.example.org/c?sslmode=disable' },
      false,
      ['DATABASE_URL connects without TLS'],
    ],
  ])('of %j, demo %j', (env, demo, words) => {
    expect(warned(env, demo)).toEqual(words)
  })
})

describe('a start does not warn', () => {
  it.each<[Record<string, string>, boolean]>([
    [{}, true],
    [{ HOST: '::1', PUBLIC_URL: 'http://localhost:3000' }, true],
    [{ ...HTTPS, HOST: '0.0.0.0', DEMO_PASSWORD: 'quite another' }, true],
    [{ ADDRESS_URL: 'http://127.0.0.1:8080/', DATABASE_URL: 'postgres://a:b@localhost/c' }, false],
    [{ FILES_URL: 's3://a:b@store.example.org/c' }, false],
    [{ FILES_URL: 's3://a:b@127.0.0.1:9000/c?tls=0' }, false],
    [
      {
        ADDRESS_URL: 'http://127.0.0.1:8080/',
        OTLP_URL: 'http://localhost:4318',
        DATABASE_URL: 'postgres://a:b@localhost/c',
      },
      false,
    ],
    [{ DATABASE_URL: 'postgres://a@%2Fvar%2Frun/c' }, false],
    [{ DATABASE_URL: 'postgres://a:b@db.example.org/c?sslmode=verify-full' }, false],
  ])('of %j, demo %j', (env, demo) => {
    expect(warned(env, demo)).toEqual([])
  })
})
