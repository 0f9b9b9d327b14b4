import { INACTIVITY_MS } from '../../contract/limits.ts'
import {
  databaseAddress,
  flag,
  isAccent,
  isHttpAddress,
  isTimeZone,
  positive,
  type Rule,
  startingWith,
} from './settingRules.ts'
import { isStorageAddress } from './storageAddress.ts'
import { isTrustProxy } from './trustProxy.ts'

export interface Setting<T> {
  default: T
  about: string
  must?: Rule
}

/** All settings by environment variable: the one table that the code reads and --help prints. */
export const SETTINGS = {
  PORT: { default: 3000, about: 'port to listen on' },
  HOST: { default: '127.0.0.1', about: 'address to listen on' },
  DATA_DIR: {
    default: '.data',
    about: 'folder of the embedded database, and of emails if there is no mail server',
  },
  DATABASE_URL: {
    default: '',
    about:
      'PostgreSQL (15 or newer) to use instead of the embedded one, or the connection pooler in front of it',
    must: databaseAddress,
  },
  DATABASE_DIRECT_URL: {
    default: '',
    about:
      'the same database without the pooler, for migrations and notifications; needed if DATABASE_URL is a pooler in transaction mode (PgBouncer)',
    must: databaseAddress,
  },
  DATABASE_READ_URL: {
    default: '',
    about:
      'a standby of the same database, for reports and Excel files, which then show the time of their data; otherwise DATABASE_URL',
    must: databaseAddress,
  },
  MIGRATE: {
    default: 1,
    about:
      '0 starts only on a database that npm run migrate brought up to date, and changes no tables: its role then only needs to read and write rows, and npm run migrate must run once a year to create the next partition of the audit',
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
      'object storage (S3) for the contents of new files, instead of the database: s3://KEY:SECRET@host:port/bucket/folder?region=eu-west-2; write a / in the key or secret as %2F; tls=0 disables TLS',
    must: {
      be: 'be an address like s3://KEY:SECRET@host:9000/bucket?region=eu-west-2, in whose key and secret a / is written as %2F',
      is: isStorageAddress,
    },
  },
  BACKUP_DIR: {
    default: '',
    about:
      'folder for backups, of this installation alone: the last ones of 7 days, 4 weeks and 12 months are kept',
  },
  BACKUP_AT: {
    default: '',
    about:
      'time of day (02:30, in TIME_ZONE) at which one of the servers writes a backup into BACKUP_DIR, or as soon as one runs again; otherwise only npm run backup does',
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
    about:
      'secret keys of age (AGE-SECRET-KEY-1…) that npm run verify-backup and npm run import-data decrypt with; no server needs them',
  },
  DEMO: {
    default: '',
    about: '1 fills an empty database with demo data; 1 by default on the embedded database, otherwise 0',
    must: flag,
  },
  DEMO_PASSWORD: { default: 'advocacy-demo', about: 'password of the demo accounts' },
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
    about: 'a query that takes at least so many milliseconds is logged, with its call and without its values',
  },
  METRICS_PORT: {
    default: 0,
    about: 'separate port for GET /metrics (Prometheus); 0 for none. It must not be reachable from outside',
  },
  METRICS_TOKEN: {
    default: '',
    about:
      'token that a request to /metrics needs (Authorization: Bearer …); without METRICS_PORT it enables /metrics on PORT',
    must: { be: 'have 16 characters or more', is: (text) => text.length >= 16 },
  },
  OTLP_URL: {
    default: '',
    about:
      'collector of traces by OTLP over HTTP (OpenTelemetry), such as http://127.0.0.1:4318: durations of calls, jobs and their queries, without values; otherwise there are no traces',
    must: {
      be: 'be an address that begins with http:// or https://, like http://127.0.0.1:4318',
      is: isHttpAddress,
    },
  },
  BANK_HOLIDAYS: {
    default: 'england-and-wales',
    about:
      'code of the calendar of bank holidays of council areas that name none (scotland, northern-ireland, or the code of another one in the Admin Site)',
    must: { be: 'be a code like scotland', is: (text) => /^[a-z][a-z0-9-]{0,39}$/.test(text) },
  },
  TIME_ZONE: {
    default: 'Europe/London',
    about: 'name of the time zone of today and of all displayed times',
    must: { be: 'be the name of a time zone, like Europe/London', is: isTimeZone },
  },
  IDLE_SECONDS: {
    default: INACTIVITY_MS / 1000 + 60,
    about: 'seconds without a call after which a session ends',
    must: positive,
  },
  SESSION_HOURS: { default: 12, about: 'hours after which a session ends in any case', must: positive },
  SECOND_FACTOR_ROLES: {
    default: '',
    about:
      'roles that need a second factor to sign in by a password, such as SystemAdministrator,AdvocateManager; others may have one; needs ENCRYPTION_KEY',
  },
  STEP_UP: {
    default: 0,
    about:
      '1 asks people to prove again who they are, unless they did within five minutes, before they purge, merge, export more than 500 rows, or change roles or email addresses; before they change how they sign in or end sessions they are asked in any case',
    must: flag,
  },
  LOCK_AFTER: { default: 5, about: 'wrong passwords before an account is locked', must: positive },
  LOCK_ADDRESS_AFTER: {
    default: 50,
    about:
      'wrong passwords, or wrong reset links, from one address (IPv6: its /64 network) before it is locked',
    must: positive,
  },
  LOCK_MINUTES: { default: 15, about: 'how long a lock lasts, in minutes', must: positive },
  PASSWORD_COST: {
    default: 17,
    about:
      'cost of hashing a password, 10 to 20: each step doubles time and memory; 17 takes a third of a second and 128 MB, for two people at a time',
    must: { be: 'be a whole number from 10 to 20', is: (text) => /^(1\d|20)$/.test(text) },
  },
  OPENID_PROVIDERS: {
    default: '',
    about:
      'providers of OpenID Connect that people sign in with: [{"id": "council", "name": "Example Council", "issuer": "https://…", "client_id": "…", "client_secret": "…"}], and where wanted "scope" and "groups" (the claim with the groups)',
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
      'user name of the only account that may still sign in by its password; everybody else then signs in by a provider',
  },
  ENCRYPTION_KEY: {
    default: '',
    about:
      'key that secrets in the database are encrypted with: 32 random bytes as base64 (openssl rand -base64 32); needed with OPENID_PROVIDERS, and for authenticator apps',
    must: {
      be: 'be 32 bytes as base64, such as openssl rand -base64 32 prints',
      is: (text) => /^[A-Za-z0-9+/]{43}=$/.test(text),
    },
  },
  SMTP_URL: {
    default: '',
    about:
      'mail server, smtp://user:password@host:587; without one, emails are written to DATA_DIR/outbox as files that any mail program opens',
    must: startingWith('smtp://', 'smtps://'),
  },
  MAIL_FROM: {
    default: '',
    about: 'sender of emails: Casework <casework@example.org>; otherwise PRODUCT_NAME at no-reply@localhost',
  },
  PUBLIC_URL: {
    default: '',
    about:
      'public address of the product, for links in emails; if it begins with https://, cookies are Secure, and HSTS makes browsers use only HTTPS for a year, including subdomains; otherwise HOST and PORT',
    must: startingWith('http://', 'https://'),
  },
  TRUST_PROXY: {
    default: '',
    about:
      'trusted proxies, whose headers tell where a call came from: true, the number of proxies in front of the server, or their addresses (10.0.0.0/8), separated by commas',
    must: { be: 'be true, a number of proxies, or their addresses separated by commas', is: isTrustProxy },
  },
  ADDRESS_URL: {
    default: '',
    about:
      'address lookup service: it answers ?postcode=… with [{"id", "label"}], and ?id=… with the one with that id, whose label is the full address; otherwise the bundled table',
    must: startingWith('http://', 'https://'),
  },
  PURGE_ROLES: {
    default: '',
    about:
      'roles that may purge the records that they see, separated by commas (SystemAdministrator,AdvocateManager); otherwise as in schemas/endpoints',
  },
  COMMISSIONER_READS_RECORDS: {
    default: 0,
    about:
      '1 lets commissioners read the records of their contracts, but not change them; otherwise they see only records that they created',
    must: flag,
  },
  OLD_CASE_DAYS: { default: 365, about: 'days after which a closed or unchanged case is old' },
  REFERRAL_DAYS: {
    default: 365,
    about:
      'days for which a rejected referral is stored with its messages and comments, and a referral from outside that nobody decided',
  },
  ACCESS_LOG_DAYS: {
    default: 365,
    about: 'days for which the log of sign-ins, wrong passwords and searches for people is stored',
  },
  AUDIT_URL: {
    default: '',
    about:
      'where each event of the audit is sent as a line of JSON without values: tls://host:6514 (syslog over TLS) or https://host/path, to which lines are posted; events from before the setting are not sent',
    must: {
      be: 'be an address like tls://logs.example.org:6514 or https://logs.example.org/audit',
      is: (text) => /^(tls|https?):\/\/./.test(text) && URL.canParse(text),
    },
  },
  AUDIT_YEARS: {
    default: 0,
    about:
      'whole years after which a year of the audit is permanently deleted, 1 or more; otherwise it is never deleted',
    must: { be: 'be a whole number of years, 1 or more', is: (text) => /^[1-9]\d{0,2}$/.test(text) },
  },
  POOL_SIZE: {
    default: 14,
    about:
      'connections to the database, 7 or more: 2 are reserved for signing in, 2 for exports and reports, 2 for reads; one more while an upload is processed',
    must: { be: 'be a whole number of 7 or more', is: (text) => /^\d+$/.test(text) && Number(text) >= 7 },
  },
  PREPARED_STATEMENTS: {
    default: 1,
    about: '0 behind a pooler that does not support prepared statements',
    must: flag,
  },
  PRODUCT_NAME: { default: 'Advocacy casework', about: 'name of the product' },
  PRODUCT_MARK: {
    default: '',
    about: 'one or two letters beside the name; otherwise the first letter of the name',
    must: { be: 'have one or two characters', is: (text) => [...text].length <= 2 },
  },
  ACCENT: {
    default: '',
    about: 'colour of buttons, links and selected items; dark enough for white text on it',
    must: { be: 'be a colour like #1f5fbf on which white text can be read (4.5 to 1)', is: isAccent },
  },
  ORGANISATION: {
    default: '',
    about: 'name of the organisation, on the sign-in page and on public referral forms',
  },
  HELP_CONTACT: {
    default: '',
    about: 'contact for people who cannot sign in, in words: the service desk, 01632 960000',
  },
  PUBLIC_CONTACT: {
    default: '',
    about:
      'whom to call instead of a public referral form, and while it is closed: 01632 960001, Monday to Friday',
  },
  USER_MANUAL_URL: { default: '/manual', about: 'address of the user manual' },
} satisfies Record<string, Setting<string | number>>

/**
 * Settings that may be read from a file named by NAME_FILE instead, because other processes can read an environment.
 */
export const SECRETS = [
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
