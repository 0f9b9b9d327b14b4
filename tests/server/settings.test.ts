import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rootFolder } from '../../src/server/core/rootFolder.ts'
import { readSettings, settingsHelp, unknownSettings } from '../../src/server/core/settings.ts'
import { SETTINGS } from '../../src/server/core/settingsSchema.ts'
import { storageAddress } from '../../src/server/core/storageAddress.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

describe('a setting', () => {
  it.each(['Europe/Londn', 'London time', '+01:00', '5'])('TIME_ZONE %s is refused', (TIME_ZONE) => {
    expect(() => readSettings({ TIME_ZONE })).toThrow(
      'TIME_ZONE must be the name of a time zone, like Europe/London.',
    )
  })

  it.each(['UTC', 'Europe/Dublin', 'Pacific/Kiritimati'])('TIME_ZONE %s will do', (TIME_ZONE) => {
    expect(readSettings({ TIME_ZONE }).TIME_ZONE).toBe(TIME_ZONE)
  })

  it('that is not an address is refused without being quoted', () => {
    expect(() => readSettings({ ADDRESS_URL: 'ftp://user:secret@host' })).toThrow(
      /^ADDRESS_URL must begin with http:\/\/ or https:\/\/\.$/,
    )
  })

  it.each([
    'nonsense',
    'mysql://app@db/advocacy',
    'postgres://app:secret@db1:5432,db2:5432/advocacy',
    'postgres://app:secret@db1,db2/advocacy',
    'postgres:///advocacy?host=db1,db2',
    'postgres://app:secret@db/advocacy?target_session_attrs=read-write',
  ])('DATABASE_URL %s is refused without being quoted', (DATABASE_URL) => {
    const refused =
      /^DATABASE_URL must be an address like postgres:\/\/user:password@host:5432\/name, of one host/
    expect(() => readSettings({ DATABASE_URL })).toThrow(refused)
    expect(() => readSettings({ DATABASE_URL })).not.toThrow('secret')
  })

  it.each([
    'postgres://app:secret@db:5432/advocacy?sslmode=verify-full',
    'postgresql://app@[::1]/advocacy',
    'postgres://app:sec,ret@db/advocacy',
    'postgres:///advocacy?host=/run/postgresql',
  ])('DATABASE_URL %s will do', (DATABASE_URL) => {
    expect(readSettings({ DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL)
  })

  it.each([
    'https://key:hush@host/files',
    's3://host/files',
    's3://key:hush@host',
    's3://key:hu/sh@host/files',
    's3://key:hush@host/files?regoin=eu-west-2',
    's3://key:hush@host/files?tls=no',
    's3://key:hush%@host/files',
  ])('FILES_URL %s is refused without being quoted', (FILES_URL) => {
    const refused =
      /^FILES_URL must be an address like s3:\/\/KEY:SECRET@host:9000\/bucket\?region=eu-west-2, /
    expect(() => readSettings({ FILES_URL })).toThrow(refused)
    expect(() => readSettings({ FILES_URL })).not.toThrow(/hush|hu.sh/)
  })

  it.each([
    ['DEMO', 'yes', 'be 0 or 1'],
    ['PREPARED_STATEMENTS', '2', 'be 0 or 1'],
    ['LOG_LEVEL', 'verbose', 'be silent, error, warn, info or debug'],
    ['IDLE_SECONDS', '0', 'be a whole number of 1 or more'],
    ['LOCK_AFTER', '0', 'be a whole number of 1 or more'],
  ])('%s of %s is refused', (name, value, rule) => {
    expect(() => readSettings({ [name]: value })).toThrow(`${name} must ${rule}.`)
  })

  const COUNCIL = {
    ...{ id: 'council', name: 'Example Council', issuer: 'https://login.example.org' },
    ...{ client_id: 'casework', client_secret: 'hush' },
  }
  const ENCRYPTION_KEY = Buffer.alloc(32).toString('base64')

  it.each([
    ['council', 'must be a JSON list of providers'],
    ['[]', 'must be a JSON list of providers'],
    [[{ ...COUNCIL, issuer: undefined }], 'is wrong in provider 1: issuer is missing.'],
    [[COUNCIL, { ...COUNCIL, id: 'Two' }], 'is wrong in provider 2: id must be small letters'],
    [
      [{ ...COUNCIL, issuer: 'http://login.example.org' }],
      'is wrong in provider 1: issuer must begin with https://',
    ],
    [[{ ...COUNCIL, scopes: 'openid' }], 'is wrong in provider 1: it may not have the key "scopes".'],
    [[{ ...COUNCIL, scope: 'profile' }], 'is wrong in provider 1: scope must have openid.'],
    [[COUNCIL, { ...COUNCIL, id: 'two' }], 'has two providers with the same issuer.'],
  ])('OPENID_PROVIDERS %j is refused without being quoted', (value, message) => {
    const OPENID_PROVIDERS = typeof value === 'string' ? value : JSON.stringify(value)
    const read = () => readSettings({ OPENID_PROVIDERS, ENCRYPTION_KEY })
    expect(read).toThrow(`OPENID_PROVIDERS ${message}`)
    expect(read).not.toThrow('hush')
  })

  it.each([
    [{ OPENID_PROVIDERS: JSON.stringify([COUNCIL]) }, 'OPENID_PROVIDERS is given without ENCRYPTION_KEY'],
    [{ EMERGENCY_ACCOUNT: 'admin' }, 'EMERGENCY_ACCOUNT is given without OPENID_PROVIDERS'],
    [{ OPENID_CREATE_ACCOUNTS: '1' }, 'OPENID_CREATE_ACCOUNTS is given without OPENID_PROVIDERS'],
    [{ SECOND_FACTOR_ROLES: 'Advocate' }, 'SECOND_FACTOR_ROLES is given without ENCRYPTION_KEY'],
    [{ ENCRYPTION_KEY: 'short' }, 'ENCRYPTION_KEY must be 32 bytes as base64'],
  ])('of sign-on that lacks another, %j, is refused', (env, message) => {
    expect(() => readSettings(env)).toThrow(message)
  })

  it('FILES_URL has its parts as they are written', () => {
    const text = 's3://KEY:se%2Fcr+et@store.example.org:9000/files/case/work?region=eu-west-2&tls=0'
    expect(storageAddress(readSettings({ FILES_URL: text }).FILES_URL)).toEqual({
      endpoint: 'http://store.example.org:9000',
      key: 'KEY',
      secret: 'se/cr+et',
      bucket: 'files',
      folder: 'case/work/',
      region: 'eu-west-2',
      place: 'store.example.org:9000/files/case/work',
    })
    expect(storageAddress('s3://a:b@store/files')).toMatchObject({ endpoint: 'https://store', folder: '' })
  })

  it('of an address past a pooler is refused without that of the pooler', () => {
    expect(() => readSettings({ DATABASE_DIRECT_URL: 'postgres://app@db/advocacy' })).toThrow(
      'DATABASE_DIRECT_URL is given without DATABASE_URL, which it needs.',
    )
  })

  it('that is misspelt is refused with the likely name', () => {
    expect(unknownSettings({ TRUST_PROXI: '1', PATH: '/bin', PURGE_ROLE: '' })).toEqual([
      "Unknown setting TRUST_PROXI; did you mean 'TRUST_PROXY'?",
      "Unknown setting PURGE_ROLE; did you mean 'PURGE_ROLES'?",
    ])
  })

  it('that is a secret may stand in a file, which is refused where it is missing, empty or beside the other', () => {
    const folder = temporaryFolder('settings-')
    const [file, blank] = ['token', 'blank'].map((name) => join(folder, name))
    writeFileSync(file, 'postgres://app:secret@db/advocacy\n')
    writeFileSync(blank, ' \n')
    expect(readSettings({ DATABASE_URL_FILE: file }).DATABASE_URL).toBe('postgres://app:secret@db/advocacy')
    expect(unknownSettings({ DATABASE_URL_FILE: file, SMTP_URL_FIL: '' })).toEqual([
      "Unknown setting SMTP_URL_FIL; did you mean 'SMTP_URL_FILE'?",
    ])
    for (const path of [blank, join(folder, 'none')])
      expect(() => readSettings({ SMTP_URL_FILE: path })).toThrow(
        `SMTP_URL_FILE ${path} cannot be read, or is empty.`,
      )
    expect(() => readSettings({ DATABASE_URL_FILE: file, DATABASE_URL: 'x' })).toThrow(
      'DATABASE_URL and DATABASE_URL_FILE are both given; take one of them away.',
    )
    rmSync(folder, { recursive: true })
  })

  it('is listed in the help, whatever it is', () => {
    for (const name of Object.keys(SETTINGS)) expect(settingsHelp()).toContain(`  ${name} `)
  })
})

describe('the table of settings in the README', () => {
  const rows = readFileSync('README.md', 'utf8').matchAll(/^\| `([A-Z_]+)` \|(.*?)\|/gm)
  const listed = Object.fromEntries([...rows].map(([, name, value]) => [name, value.trim()]))

  it('has every setting, in their order', () => {
    expect(Object.keys(listed)).toEqual(Object.keys(SETTINGS))
  })

  it.each(Object.entries(SETTINGS).filter(([, setting]) => setting.default))(
    'has the default of %s',
    (name, setting) => {
      expect(listed[name]).toBe(String(setting.default))
    },
  )
})

describe('the folder of the project', () => {
  it('is the nearest with a package.json, and a server without one says so instead of looking for ever', () => {
    expect(rootFolder(resolve('src/server/core'))).toBe(process.cwd())
    expect(() => rootFolder('/')).toThrow(
      'There is no package.json in / or above it: start the server from its project.',
    )
  })
})
