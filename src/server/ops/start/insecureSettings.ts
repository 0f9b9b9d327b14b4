import type { Settings } from '../../core/settings.ts'
import { SETTINGS } from '../../core/settingsSchema.ts'
import { storageAddress } from '../../core/storageAddress.ts'

const LOCAL = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/

/** Warnings for settings that are insecure on a network; `demo`: true if the demo sign-ins exist. */
export function insecureSettings(settings: Settings, demo: boolean): string[] {
  const { HOST, PUBLIC_URL, FILES_URL, DEMO_PASSWORD, BACKUP_DIR, BACKUP_RECIPIENT } = settings
  const storage = storageAddress(FILES_URL)?.endpoint ?? ''
  const isPublic = !LOCAL.test(HOST) || (PUBLIC_URL !== '' && !isLocal(PUBLIC_URL))
  return [
    isPublic && demo && DEMO_PASSWORD === SETTINGS.DEMO_PASSWORD.default
      ? 'Others can reach the demo sign-ins, whose password everybody knows: set DEMO_PASSWORD, or DEMO=0 for real records.'
      : '',
    isPublic && !PUBLIC_URL.startsWith('https://')
      ? 'Others reach the product without TLS: put it behind a proxy, and begin PUBLIC_URL with https://.'
      : '',
    ...(['ADDRESS_URL', 'OTLP_URL'] as const).map((name) =>
      settings[name].startsWith('http://') && !isLocal(settings[name])
        ? `${name} is called without TLS: begin it with https://.`
        : '',
    ),
    isPublic && BACKUP_DIR && !BACKUP_RECIPIENT
      ? 'Backups in BACKUP_DIR are not encrypted: set BACKUP_RECIPIENT to a public key of age.'
      : '',
    storage.startsWith('http://') && !isLocal(storage)
      ? 'FILES_URL is called without TLS: take tls=0 away.'
      : '',
    ...(['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const).map((name) =>
      settings[name] && !isLocal(settings[name]) && !/[?&]sslmode=(require|verify-)/.test(settings[name])
        ? `${name} connects without TLS: add sslmode=verify-full.`
        : '',
    ),
  ].filter(Boolean)
}

/** True if an address is on this machine; that of a socket has no host, or a folder as its host. */
function isLocal(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { hostname } = new URL(address)
  return hostname === '' || hostname.startsWith('%2F') || LOCAL.test(hostname)
}
