import { readFileSync } from 'node:fs'
import path from 'node:path'
import { suggest } from '../../contract/suggest.ts'
import { providersMistake } from './openidProviders.ts'
import { SECRETS, SETTINGS, type Setting } from './settingsSchema.ts'

export type Settings = {
  [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K]['default'] extends number ? number : string
}

/** Settings from an environment; throws an error whose message names the invalid setting. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const read = Object.entries<Setting<string | number>>(SETTINGS).map(([name, { default: value, must }]) => {
    const text = textOf(name, env)
    if (text === undefined || text === '') return [name, value]
    if (must && !must.is(text)) throw new Error(`${name} must ${must.be}.`)
    if (typeof value === 'string') return [name, text]
    if (!/^\d+$/.test(text)) throw new Error(`${name} must be a whole number, not '${text}'.`)
    return [name, Number(text)]
  })
  const settings = Object.fromEntries(read) as Settings
  settings.DATA_DIR = path.resolve(settings.DATA_DIR)
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const)
    if (settings[name] && !settings.DATABASE_URL)
      throw new Error(`${name} is given without DATABASE_URL, which it needs.`)
  if (settings.BACKUP_AT && !settings.BACKUP_DIR)
    throw new Error('BACKUP_AT is given without BACKUP_DIR, the folder that backups are written into.')
  refuseSignOn(settings)
  return settings
}

/** Throws for settings of sign-on that do not fit each other. */
function refuseSignOn(settings: Settings): void {
  const { OPENID_PROVIDERS, OPENID_CREATE_ACCOUNTS, EMERGENCY_ACCOUNT, ENCRYPTION_KEY } = settings
  const mistake = providersMistake(OPENID_PROVIDERS)
  if (mistake) throw new Error(`OPENID_PROVIDERS ${mistake}`)
  if (OPENID_PROVIDERS && !ENCRYPTION_KEY)
    throw new Error(
      'OPENID_PROVIDERS is given without ENCRYPTION_KEY, with which the tokens of providers are encrypted: openssl rand -base64 32 prints one.',
    )
  if (settings.SECOND_FACTOR_ROLES && !ENCRYPTION_KEY)
    throw new Error(
      'SECOND_FACTOR_ROLES is given without ENCRYPTION_KEY, with which the secrets of second factors are encrypted: openssl rand -base64 32 prints one.',
    )
  if (EMERGENCY_ACCOUNT && !OPENID_PROVIDERS)
    throw new Error('EMERGENCY_ACCOUNT is given without OPENID_PROVIDERS: nobody else could sign in.')
  if (OPENID_CREATE_ACCOUNTS && !OPENID_PROVIDERS)
    throw new Error('OPENID_CREATE_ACCOUNTS is given without OPENID_PROVIDERS, which people sign in with.')
}

/** Value of a setting in an environment, or the trimmed content of the file that NAME_FILE names. */
function textOf(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const file = SECRETS.includes(name) ? env[`${name}_FILE`] : undefined
  if (!file) return env[name]
  if (env[name]) throw new Error(`${name} and ${name}_FILE are both given; take one of them away.`)
  let text = ''
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch {
    // Reported below, without the cause.
  }
  if (!text) throw new Error(`${name}_FILE ${file} cannot be read, or is empty.`)
  return text
}

/** A warning for each variable with a prefix of our settings that is none, with the nearest known name. */
export function unknownSettings(env: NodeJS.ProcessEnv): string[] {
  const known = [...Object.keys(SETTINGS), ...SECRETS.map((name) => `${name}_FILE`)]
  return Object.keys(env)
    .filter(
      (name) =>
        !known.includes(name) &&
        /^(DEMO|DATA|DATABASE|FILES|BACKUP|SLOW_QUERY|METRICS|AUDIT|LOCK|IDLE|SESSION|SMTP|MAIL|PUBLIC|PASSWORD|OLD_CASE|REFERRAL|ACCESS_LOG|POOL|PREPARED|USER_MANUAL|TRUST|ADDRESS|OTLP|OPENID|EMERGENCY|ENCRYPTION|STEP|SECOND|PURGE|COMMISSIONER|PRODUCT)_/.test(
          name,
        ),
    )
    .map((name) => `Unknown setting ${name}${suggest(name, known)}`)
}

/** Text of `npm start -- --help`, one line for each setting. */
export function settingsHelp(): string {
  const lines = Object.entries(SETTINGS).map(
    ([name, s]) => `  ${name.padEnd(22)} ${s.about} (${s.default === '' ? 'none' : s.default})`,
  )
  const files = `${SECRETS.join(', ')} may stand in a file each, which the name with _FILE at its end names.`
  return `Settings are environment variables:\n${lines.join('\n')}\n${files}`
}
