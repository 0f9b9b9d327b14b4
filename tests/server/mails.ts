import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The mails of an outbox, the oldest first. */
export function outboxOf(folder: string): string[] {
  try {
    const files = readdirSync(join(folder, 'outbox')).sort()
    return files.map((file) => readFileSync(join(folder, 'outbox', file), 'utf8'))
  } catch {
    return []
  }
}

/** Token of the link in a mail. */
export function tokenIn(mail: string): string {
  return mail.match(/\/reset-password\/([\w-]+)/)![1]
}
