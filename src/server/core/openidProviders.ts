/** A provider of OpenID Connect, as the setting OPENID_PROVIDERS describes it. */
export interface OpenidProvider {
  /** Part of the addresses that are registered with the provider. */
  id: string
  /** What the button on the sign-in page says after "Sign in with". */
  name: string
  issuer: string
  client_id: string
  client_secret: string
  /** Scopes of the request; offline_access brings the refresh token by which a disabled account is noticed. */
  scope: string
  /** Name of the claim with the groups of the person. */
  groups: string
}

const NEEDED = ['id', 'name', 'issuer', 'client_id', 'client_secret'] as const
const DEFAULTS = { scope: 'openid profile email offline_access', groups: 'groups' }
const LOCAL = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** The providers of the setting OPENID_PROVIDERS; none if it is empty. */
export function openidProviders(setting: string): OpenidProvider[] {
  if (setting === '') return []
  return (JSON.parse(setting) as OpenidProvider[]).map((provider) => ({ ...DEFAULTS, ...provider }))
}

/** The provider with an issuer; some issuers end with a slash that the settings lack. */
export function providerOfIssuer(setting: string, issuer: string | undefined): OpenidProvider | undefined {
  const plain = (text: string) => text.replace(/\/$/, '')
  return openidProviders(setting).find((one) => plain(one.issuer) === plain(issuer ?? ''))
}

/** What is wrong with the setting, as the end of a sentence that begins with its name; it quotes no secret. */
export function providersMistake(setting: string): string | undefined {
  if (setting === '') return undefined
  const list = parsed(setting)
  if (!Array.isArray(list) || list.length === 0)
    return 'must be a JSON list of providers: [{"id": "…", "name": "…", "issuer": "https://…", "client_id": "…", "client_secret": "…"}].'
  for (const [i, provider] of list.entries()) {
    const mistake = providerMistake(provider)
    if (mistake) return `is wrong in provider ${i + 1}: ${mistake}.`
  }
  for (const key of ['id', 'issuer'] as const)
    if (new Set(list.map((provider) => provider[key])).size < list.length)
      return `has two providers with the same ${key}.`
  return undefined
}

function providerMistake(provider: unknown): string | undefined {
  if (provider === null || typeof provider !== 'object') return 'it must be an object'
  const entries = Object.entries(provider)
  const texts = new Map(entries.filter(([, value]) => typeof value === 'string' && value.trim() !== ''))
  const missing = NEEDED.find((key) => !texts.has(key))
  if (missing) return `${missing} is missing`
  const known = [...NEEDED, ...Object.keys(DEFAULTS)]
  const strange = entries.find(([key]) => !known.includes(key))?.[0]
  if (strange) return `it may not have the key ${JSON.stringify(strange)}`
  if (entries.length > texts.size) return 'every value must be a text'
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(String(texts.get('id'))))
    return 'id must be small letters, digits and -, such as example-council'
  if (!/(^| )openid( |$)/.test(String(texts.get('scope') ?? DEFAULTS.scope))) return 'scope must have openid'
  return isIssuer(String(texts.get('issuer')))
    ? undefined
    : 'issuer must begin with https:// (http:// only on this machine), and have neither ? nor #'
}

/** True for an issuer that is called by TLS, or that runs on this machine. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, search, hash, username } = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOCAL.test(hostname))
  return isSafe && search === '' && hash === '' && username === ''
}

function parsed(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
