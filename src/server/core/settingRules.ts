/** Validates a value; `be` completes the sentence 'NAME must …', without the value, which may hold a password. */
export interface Rule {
  be: string
  is: (text: string) => boolean
}

export const startingWith = (...words: string[]) => ({
  be: `begin with ${words.join(' or ')}`,
  is: (text: string) => words.some((one) => text.startsWith(one)),
})

export const flag = { be: 'be 0 or 1', is: (text: string) => /^[01]$/.test(text) }

export const positive = {
  be: 'be a whole number of 1 or more',
  is: (text: string) => /^[1-9]\d*$/.test(text),
}

export const databaseAddress = {
  be: 'be an address like postgres://user:password@host:5432/name, of one host and without target_session_attrs: where several servers keep one database, a proxy such as HAProxy leads to the one that can write',
  is: isDatabaseAddress,
}

/** Rejects offsets (+01:00): they have no summer time, and PostgreSQL reads their sign the other way. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: name })
    return /^[A-Za-z]/.test(name)
  } catch {
    return false
  }
}

export function isHttpAddress(text: string): boolean {
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
export function isAccent(colour: string): boolean {
  if (!/^#[0-9a-f]{6}$/i.test(colour)) return false
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) >= 4.5
}
