import type { Configuration } from 'openid-client'
import { type OpenidProvider, openidProviders } from '../../core/openidProviders.ts'
import { problem } from '../../core/problems.ts'
import type { Settings } from '../../core/settings.ts'
import { isUnavailable } from './isUnavailable.ts'

/**
 * How long the metadata of a provider is cached, in milliseconds; its keys are fetched again when a token names an
 * unknown one.
 */
const CACHE_MS = 3_600_000
/** Seconds to wait for a provider. */
const TIMEOUT_S = 5

type Cached = { at: number; configuration: Promise<Configuration> }
const cache = new WeakMap<Settings, Map<string, Cached>>()

/** Loaded with the first sign-on, because most installations have no provider. */
export const openidClient = () => import('openid-client')

/** The provider with an id; throws a 404 if the settings have none. */
export function providerOf(settings: Settings, id: unknown): OpenidProvider {
  const provider = openidProviders(settings.OPENID_PROVIDERS).find((one) => one.id === id)
  if (!provider) throw problem('notFound')
  return provider
}

/** The metadata of a provider (discovery) with our registration; throws a 503 if it cannot be reached. */
export async function configurationOf(settings: Settings, provider: OpenidProvider): Promise<Configuration> {
  const known = cache.get(settings) ?? new Map<string, Cached>()
  cache.set(settings, known)
  const cached = known.get(provider.id)
  if (cached && Date.now() - cached.at < CACHE_MS) return cached.configuration
  // Calls that wait for the same promise get the same problem.
  const configuration = discover(provider).catch((error) => {
    known.delete(provider.id)
    throw isUnavailable(error) ? providerAway(provider) : error
  })
  known.set(provider.id, { at: Date.now(), configuration })
  return configuration
}

/** The problem of a provider that cannot be reached. */
export function providerAway({ name }: OpenidProvider) {
  return problem('signOnAway', { message: `${name} cannot be reached. Try again in a moment.` })
}

async function discover({ issuer, client_id, client_secret }: OpenidProvider): Promise<Configuration> {
  const client = await openidClient()
  // The settings allow http:// only for a provider on this machine.
  const insecure = issuer.startsWith('http://') ? [client.allowInsecureRequests] : []
  return client.discovery(new URL(issuer), client_id, client_secret, undefined, {
    // Without this, the signature of an ID token is not verified where it comes straight from the provider.
    execute: [client.enableNonRepudiationChecks, ...insecure],
    timeout: TIMEOUT_S,
  })
}
