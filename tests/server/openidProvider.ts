import { createServer, type IncomingMessage } from 'node:http'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { Provider } from 'oidc-provider'

/** A person at a provider. */
export interface Account {
  name?: string
  given_name?: string
  family_name?: string
  preferred_username?: string
  email?: string
  email_verified?: boolean
  groups?: string[]
}
/** A real provider of OpenID Connect on this machine. */
export interface TestProvider {
  issuer: string
  /** By subject; a subject that is deleted can neither sign in nor renew. */
  accounts: Map<string, Account>
  /** The element of the setting OPENID_PROVIDERS. */
  setting: Record<string, string>
  /** Signs a token with the key of the provider, or with another one. */
  sign(claims: JWTPayload, key?: CryptoKey): Promise<string>
  /** Registers the product at its address, which is known only once it listens. */
  register(product: string): void
  end(): Promise<void>
}

const SECRET = 'a secret of the client that is long enough'

/** Starts a provider; `id` is its id in the settings of the product. */
export async function startOpenidProvider(id = 'council'): Promise<TestProvider> {
  const accounts = new Map<string, Account>()
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), kid: 'test', use: 'sig', alg: 'RS256' }
  let provider: Provider | undefined
  const server = createServer(async (request, response) => {
    if (!provider) return response.writeHead(503).end()
    const { pathname } = new URL(request.url!, issuer)
    if (!pathname.startsWith('/interaction/')) return provider.callback()(request, response)
    if (request.method === 'GET') return response.setHeader('content-type', 'text/html').end(FORM)
    const login = new URLSearchParams(await bodyOf(request)).get('login') ?? ''
    await provider.interactionFinished(request, response, { login: { accountId: login } })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  return {
    issuer,
    accounts,
    sign: (claims, key = privateKey) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'test', typ: 'logout+jwt' }).sign(key),
    setting: { id, name: 'Example Council', issuer, client_id: 'casework', client_secret: SECRET },
    register: (product) => {
      provider = providerFor({ issuer, product, id, jwk }, accounts)
    },
    end: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const FORM = `<!doctype html><title>Example Council</title><form method="post">
  <label>Name <input name="login" required></label><button>Sign in</button></form>`

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

interface Registration {
  issuer: string
  product: string
  id: string
  jwk: object
}

function providerFor({ issuer, product, id, jwk }: Registration, accounts: Map<string, Account>): Provider {
  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'casework',
        client_secret: SECRET,
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: [`${product}/sign-on/${id}`],
        post_logout_redirect_uris: [`${product}/thanks`],
        backchannel_logout_uri: `${product}/sign-on/${id}/back-channel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ['a key of the test'] },
    claims: {
      openid: ['sub'],
      profile: ['name', 'given_name', 'family_name', 'preferred_username', 'groups'],
      email: ['email', 'email_verified'],
    },
    conformIdTokenClaims: false,
    scopes: ['openid', 'offline_access', 'profile', 'email'],
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    pkce: { required: () => true },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    issueRefreshToken: async () => true,
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      IdToken: 600,
      RefreshToken: 86_400,
      Session: 86_400,
      Grant: 86_400,
      Interaction: 600,
    },
    findAccount: async (_: unknown, accountId: string) => {
      const account = accounts.get(accountId)
      return account && { accountId, claims: async () => ({ sub: accountId, ...account }) }
    },
    // Everybody agrees to everything.
    loadExistingGrant: async ({
      oidc,
    }: {
      oidc: { client: { clientId: string }; session: { accountId: string } }
    }) => {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid profile email offline_access')
      await grant.save()
      return grant
    },
  })
  return provider
}
