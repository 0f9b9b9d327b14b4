import path from 'node:path'

interface Setting<T> {
  default: T
  about: string
  /** What a value must begin with, one of these. */
  begins?: string[]
}

/** Every setting, by the name of its environment variable: the one table that code reads and --help prints. */
export const SETTINGS = {
  PORT: { default: 3000, about: 'port to listen on' },
  HOST: { default: '127.0.0.1', about: 'address to listen on' },
  DATA_DIR: { default: '.data', about: 'folder of the embedded database and of uploaded files' },
  DATABASE_URL: { default: '', about: 'PostgreSQL to use instead of the embedded one' },
  DEMO: {
    default: '',
    about: '1 fills an empty database with demo data; 1 by default on the embedded database, otherwise 0',
  },
  DEMO_PASSWORD: { default: 'advocacy-demo', about: 'password of the nine demo sign-ins' },
  LOG_LEVEL: { default: 'info', about: 'silent, error, warn, info or debug' },
  TIME_ZONE: { default: 'Europe/London', about: 'where today begins' },
  IDLE_SECONDS: { default: 672, about: 'a session ends after so long without a call' },
  SESSION_HOURS: { default: 12, about: 'a session ends after so long in any case' },
  LOCK_AFTER: { default: 5, about: 'wrong passwords before an account is locked' },
  LOCK_ADDRESS_AFTER: { default: 50, about: 'wrong passwords from one address before it is locked' },
  LOCK_MINUTES: { default: 15, about: 'how long it stays locked' },
  SMTP_URL: {
    default: '',
    about: 'mail server (smtp://user:password@host:587); without one, mails are put into DATA_DIR/outbox',
    begins: ['smtp://', 'smtps://'],
  },
  MAIL_FROM: { default: 'Advocacy casework <no-reply@localhost>', about: 'sender of mails' },
  PUBLIC_URL: {
    default: '',
    about: 'where people reach the product, for links in mails; otherwise HOST and PORT',
    begins: ['http://', 'https://'],
  },
  OLD_CASE_DAYS: { default: 365, about: 'a case closed or untouched for so long is old' },
  ACCESS_LOG_DAYS: { default: 365, about: 'how long the log of sign-ins and wrong passwords is kept' },
  POOL_SIZE: { default: 10, about: 'connections to the database' },
  USER_MANUAL_URL: { default: '/manual', about: 'address of the user manual' },
} satisfies Record<string, Setting<string | number>>

export type Settings = {
  [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K]['default'] extends number ? number : string
}

/** Settings from an environment; throws a sentence that names a setting whose value is not of its type. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const read = Object.entries<Setting<string | number>>(SETTINGS).map(
    ([name, { default: value, begins }]) => {
      const given = env[name]
      if (given === undefined || given === '') return [name, value]
      // The value is not quoted: it may hold a password.
      if (begins && !begins.some((one) => given.startsWith(one)))
        throw new Error(`${name} must begin with ${begins.join(' or ')}.`)
      if (typeof value === 'string') return [name, given]
      if (!/^\d+$/.test(given)) throw new Error(`${name} must be a whole number, not '${given}'.`)
      return [name, Number(given)]
    },
  )
  const settings = Object.fromEntries(read) as Settings
  settings.DATA_DIR = path.resolve(settings.DATA_DIR)
  return settings
}

/** Names in an environment that look like ours but are none: a known name misspelt by a letter or two is likely a mistake. */
export function unknownSettings(
  env: NodeJS.ProcessEnv,
  suggest: (name: string, known: string[]) => string,
): string[] {
  const known = Object.keys(SETTINGS)
  return Object.keys(env)
    .filter(
      (name) =>
        !known.includes(name) &&
        /^(DEMO|DATA|LOCK|IDLE|SESSION|SMTP|MAIL|PUBLIC|OLD_CASE|ACCESS_LOG|POOL|USER_MANUAL)_/.test(name),
    )
    .map((name) => `Unknown setting ${name}${suggest(name, known)}`)
}

/** What `npm start -- --help` prints: a line each. */
export function settingsHelp(): string {
  const lines = Object.entries(SETTINGS).map(
    ([name, s]) => `  ${name.padEnd(16)} ${s.about} (${s.default === '' ? 'none' : s.default})`,
  )
  return `Settings are environment variables:\n${lines.join('\n')}`
}
