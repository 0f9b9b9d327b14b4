import { readFileSync } from 'node:fs'
import path from 'node:path'
import { INACTIVITY_MS } from '../../contract/limits.ts'
import { suggest } from '../../contract/suggest.ts'
import { providersMistake } from './openidProviders.ts'
import { isStorageAddress } from './storageAddress.ts'
import { isTrustProxy } from './trustProxy.ts'

interface Setting<T> {
  default: T
  about: string
  /** Validates a value; `be` completes the sentence 'NAME must …', without the value, which may hold a password. */
  must?: { be: string; is: (text: string) => boolean }
}

const startingWith = (...words: string[]) => ({
  be: `begin with ${words.join(' or ')}`,
  is: (text: string) => words.some((one) => text.startsWith(one)),
})

const flag = { be: 'be 0 or 1', is: (text: string) => /^[01]$/.test(text) }
const positive = { be: 'be a whole number of 1 or more', is: (text: string) => /^[1-9]\d*$/.test(text) }

const databaseAddress = {
  be: 'be an address like postgres://user:password@host:5432/name, of one host and without target_session_attrs: where several servers keep one database, a proxy such as HAProxy leads to the one that can write',
  is: isDatabaseAddress,
}

/** All settings by environment variable: the one table that the code reads and --help prints. */
export const SETTINGS = {
  PORT: { default: 3000, about: 'port to listen on' },
  HOST: { default: '127.0.0.1', about: 'address to listen on' },
  DATA_DIR: {
    default: '.data',
    about: 'folder of the embedded database, and of mails where there is no mail server',
  },
  DATABASE_URL: {
    default: '',
    about: 'PostgreSQL to use instead of the embedded one, or the pooler before it',
    must: databaseAddress,
  },
  DATABASE_DIRECT_URL: {
    default: '',
    about:
      'the same database without the pooler, where DATABASE_URL leads to one in transaction mode (PgBouncer): for migrations and notifications',
    must: databaseAddress,
  },
  DATABASE_READ_URL: {
    default: '',
    about:
      'a standby of the same database, for reports and Excel files, which then say as of when they are; otherwise DATABASE_URL',
    must: databaseAddress,
  },
  MIGRATE: {
    default: 1,
    about:
      '0 starts only on a database that `npm run migrate` brought up to date, and changes no table of it',
    must: flag,
  },
  MIGRATE_PATIENCE: {
    default: 600,
    about: 'seconds for which a migration tries to get a lock, again and again while others are served',
    must: positive,
  },
  FILES_URL: {
    default: '',
    about:
      'object storage (S3) for the contents of new files, instead of the database: s3://KEY:SECRET@host:port/bucket/folder?region=eu-west-2; tls=0 calls it without TLS',
    must: {
      be: 'be an address like s3://KEY:SECRET@host:9000/bucket?region=eu-west-2, in whose key and secret a / is written as %2F',
      is: isStorageAddress,
    },
  },
  BACKUP_DIR: {
    default: '',
    about:
      'folder for backups of this installation alone; the last ones of 7 days, 4 weeks and 12 months are kept',
  },
  BACKUP_AT: {
    default: '',
    about:
      'time of day at which one of the servers writes a backup into BACKUP_DIR, such as 02:30, in TIME_ZONE',
    must: { be: 'be a time of day like 02:30', is: (text) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text) },
  },
  BACKUP_RECIPIENT: {
    default: '',
    about:
      'public keys of age (age1…), separated by commas, for which backups are encrypted; otherwise they are not',
    must: {
      be: 'be public keys of age, which begin with age1, separated by commas',
      is: (text) => /^\s*age1[0-9a-z]+\s*(,\s*age1[0-9a-z]+\s*)*$/.test(text),
    },
  },
  BACKUP_IDENTITY: {
    default: '',
    about: 'secret keys of age (AGE-SECRET-KEY-1…) for verify-backup and import-data; no server needs them',
  },
  DEMO: {
    default: '',
    about: '1 fills an empty database with demo data; 1 by default on the embedded database, otherwise 0',
    must: flag,
  },
  DEMO_PASSWORD: { default: 'advocacy-demo', about: 'password of the nine demo sign-ins' },
  LOG_LEVEL: {
    default: 'info',
    about: 'silent, error, warn, info or debug',
    must: {
      be: 'be silent, error, warn, info or debug',
      is: (text) => /^(silent|error|warn|info|debug)$/.test(text),
    },
  },
  SLOW_QUERY_MS: {
    default: 500,
    about: 'milliseconds from which a query is logged, with the call it belongs to and without its values',
  },
  METRICS_PORT: {
    default: 0,
    about: 'port of its own for GET /metrics (Prometheus); 0 for none. Let nobody reach it from outside',
  },
  METRICS_TOKEN: {
    default: '',
    about:
      'token that a call of /metrics must bring (Authorization: Bearer …); without METRICS_PORT it opens /metrics on PORT',
    must: { be: 'have 16 characters or more', is: (text) => text.length >= 16 },
  },
  OTLP_URL: {
    default: '',
    about:
      'collector that gets traces by OTLP over HTTP (OpenTelemetry), such as http://127.0.0.1:4318: how long calls, jobs and their queries took, without values',
    must: {
      be: 'be an address that begins with http:// or https://, like http://127.0.0.1:4318',
      is: isHttpAddress,
    },
  },
  BANK_HOLIDAYS: {
    default: 'england-and-wales',
    about: 'code of the calendar of bank holidays of council areas that name none; the Admin Site has them',
    must: { be: 'be a code like scotland', is: (text) => /^[a-z][a-z0-9-]{0,39}$/.test(text) },
  },
  TIME_ZONE: {
    default: 'Europe/London',
    about: 'the zone of today and of all times shown',
    must: { be: 'be the name of a time zone, like Europe/London', is: isTimeZone },
  },
  IDLE_SECONDS: {
    default: INACTIVITY_MS / 1000 + 60,
    about: 'a session ends after so long without a call',
    must: positive,
  },
  SESSION_HOURS: { default: 12, about: 'a session ends after so long in any case', must: positive },
  SECOND_FACTOR_ROLES: {
    default: '',
    about:
      'roles that need a second factor to sign in by a password, separated by commas; others may have one; needs ENCRYPTION_KEY',
  },
  STEP_UP: {
    default: 0,
    about:
      '1 asks people to prove again who they are, unless they did within five minutes, before they purge, merge, export more than 500 rows, or change roles, mail addresses or ways to sign in',
    must: flag,
  },
  LOCK_AFTER: { default: 5, about: 'wrong passwords before an account is locked', must: positive },
  LOCK_ADDRESS_AFTER: {
    default: 50,
    about:
      'wrong passwords, or wrong reset links, from one address (IPv6: its /64 network) before it is locked',
    must: positive,
  },
  LOCK_MINUTES: { default: 15, about: 'how long it stays locked', must: positive },
  PASSWORD_COST: {
    default: 17,
    about: 'what hashing a password costs, 10 to 20: each step doubles time and memory; 17 takes 128 MB',
    must: { be: 'be a whole number from 10 to 20', is: (text) => /^(1\d|20)$/.test(text) },
  },
  OPENID_PROVIDERS: {
    default: '',
    about:
      'providers of OpenID Connect that people sign in with, a JSON list: [{"id", "name", "issuer", "client_id", "client_secret"}], and where wanted "scope" and "groups" (the claim with the groups)',
  },
  OPENID_CREATE_ACCOUNTS: {
    default: 0,
    about:
      '1 gives people an account at their first sign-in by a provider, if the table of groups in the Admin Site gives them a role',
    must: flag,
  },
  EMERGENCY_ACCOUNT: {
    default: '',
    about:
      'user name of the only account that may still sign in by its password; everybody else then signs in by a provider of OPENID_PROVIDERS',
  },
  ENCRYPTION_KEY: {
    default: '',
    about:
      'key that secrets in the database are encrypted with, 32 random bytes as base64 (openssl rand -base64 32); needed with OPENID_PROVIDERS, and for second factors',
    must: {
      be: 'be 32 bytes as base64, such as openssl rand -base64 32 prints',
      is: (text) => /^[A-Za-z0-9+/]{43}=$/.test(text),
    },
  },
  SMTP_URL: {
    default: '',
    about: 'mail server (smtp://user:password@host:587); without one, mails are put into DATA_DIR/outbox',
    must: startingWith('smtp://', 'smtps://'),
  },
  MAIL_FROM: {
    default: '',
    about: 'sender of mails (Casework <casework@example.org>); otherwise PRODUCT_NAME at no-reply@localhost',
  },
  PUBLIC_URL: {
    default: '',
    about:
      'where people reach the product, for links in mails; otherwise HOST and PORT. Where it begins with https, browsers are told to use nothing else',
    must: startingWith('http://', 'https://'),
  },
  TRUST_PROXY: {
    default: '',
    about:
      'whose word is taken for where a call came from: true, how many proxies stand before the server, or their addresses (10.0.0.0/8), separated by commas',
    must: { be: 'be true, a number of proxies, or their addresses separated by commas', is: isTrustProxy },
  },
  ADDRESS_URL: {
    default: '',
    about:
      'service that finds addresses, instead of the bundled table: it answers ?postcode=… with [{"id", "label"}], and ?id=… with the one of that id, its label being the whole address',
    must: startingWith('http://', 'https://'),
  },
  PURGE_ROLES: {
    default: '',
    about: 'roles that may purge what they see, separated by commas; otherwise as schemas/endpoints says',
  },
  COMMISSIONER_READS_RECORDS: {
    default: 0,
    about: '1 lets commissioners read the records of their contracts; otherwise they see only what they made',
    must: flag,
  },
  OLD_CASE_DAYS: { default: 365, about: 'a case closed or untouched for so long is old' },
  REFERRAL_DAYS: {
    default: 365,
    about:
      'how long a rejected referral is kept, with what was written about it, and one from outside that nobody decided',
  },
  ACCESS_LOG_DAYS: {
    default: 365,
    about: 'how long the log of sign-ins and wrong passwords is kept, and whom people searched for',
  },
  AUDIT_URL: {
    default: '',
    about:
      'where each event of the audit is sent as a line of JSON without values: tls://host:6514 (syslog over TLS), or https://host/path, to which lines are posted',
    must: {
      be: 'be an address like tls://logs.example.org:6514 or https://logs.example.org/audit',
      is: (text) => /^(tls|https?):\/\/./.test(text) && URL.canParse(text),
    },
  },
  AUDIT_YEARS: {
    default: 0,
    about:
      'whole years after which a year of the audit is deleted for ever, 1 or more; otherwise it is kept for ever',
    must: { be: 'be a whole number of years, 1 or more', is: (text) => /^[1-9]\d{0,2}$/.test(text) },
  },
  POOL_SIZE: {
    default: 14,
    about:
      'connections to the database: 2 are kept for signing in, 2 for exports and reports, 2 for reads; one more while an upload is worked on',
    must: { be: 'be a whole number of 7 or more', is: (text) => /^\d+$/.test(text) && Number(text) >= 7 },
  },
  PREPARED_STATEMENTS: {
    default: 1,
    about:
      '0 behind a pooler that cannot keep prepared statements (PgBouncer before 1.21 in transaction mode)',
    must: flag,
  },
  PRODUCT_NAME: { default: 'Advocacy casework', about: 'what the product is called' },
  PRODUCT_MARK: {
    default: '',
    about: 'one or two letters beside the name; the first of the name by default',
    must: { be: 'have one or two characters', is: (text) => [...text].length <= 2 },
  },
  ACCENT: {
    default: '',
    about: 'colour of buttons, links and what is chosen, such as #1f5fbf; dark enough for white text on it',
    must: { be: 'be a colour like #1f5fbf on which white text can be read (4.5 to 1)', is: isAccent },
  },
  ORGANISATION: {
    default: '',
    about: 'name of the organisation, on the sign-in page and on public referral forms',
  },
  HELP_CONTACT: {
    default: '',
    about: 'whom to call who cannot sign in, such as: the service desk, 01632 960000',
  },
  PUBLIC_CONTACT: {
    default: '',
    about:
      'whom to call instead of a public referral form, and while it is closed, such as: 01632 960001, Monday to Friday',
  },
  USER_MANUAL_URL: { default: '/manual', about: 'address of the user manual' },
} satisfies Record<string, Setting<string | number>>

/**
 * Settings that may be read from a file named by NAME_FILE instead, because other processes can read an environment.
 */
const SECRETS = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URL',
  'FILES_URL',
  'BACKUP_IDENTITY',
  'DEMO_PASSWORD',
  'ENCRYPTION_KEY',
  'METRICS_TOKEN',
  'AUDIT_URL',
  'SMTP_URL',
  'ADDRESS_URL',
  'OPENID_PROVIDERS',
  'OTLP_URL',
]

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
      throw new Error(`${name} is given without DATABASE_URL, beside which it is used.`)
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

/** Rejects offsets (+01:00): they have no summer time, and PostgreSQL reads their sign the other way. */
function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: name })
    return /^[A-Za-z]/.test(name)
  } catch {
    return false
  }
}

function isHttpAddress(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text)
}

/** Rejects several hosts and target_session_attrs, which pg does not support, unlike PostgreSQL's own programs. */
function isDatabaseAddress(text: string): boolean {
  if (!/^(postgres(ql)?:\/\/|socket:)/.test(text) || !URL.canParse(text)) return false
  const { host, searchParams } = new URL(text)
  const hosts = [host, searchParams.get('host') ?? '', searchParams.get('port') ?? '']
  return !searchParams.has('target_session_attrs') && !hosts.some((one) => /,|%2c/i.test(one))
}

/** True if white text on the colour has a contrast of at least 4.5 to 1 (WCAG 2.2, 1.4.3). */
function isAccent(colour: string): boolean {
  if (!/^#[0-9a-f]{6}$/i.test(colour)) return false
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) >= 4.5
}
