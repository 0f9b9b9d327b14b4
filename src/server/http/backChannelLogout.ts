import type { FastifyInstance } from 'fastify'
import { providerOf } from '../access/openid/configuration.ts'
import { verifyLogoutToken } from '../access/openid/logoutToken.ts'
import { endSessionsSignedOn } from '../access/session.ts'
import type { Db } from '../core/db.ts'
import { problem } from '../core/problems.ts'
import type { Settings } from '../core/settings.ts'

/** Maximum bytes of the form that a provider sends. */
const BODY_LIMIT = 16 * 1024

/**
 * Registers POST /sign-on/ID/back-channel-logout, by which a provider ends sessions (OpenID Connect Back-Channel Logout
 * 1.0). It is no call of the contract: a provider sends a form, without our anti-forgery value; its signed token is
 * what counts. It ends sessions and changes nothing else.
 */
export async function registerBackChannelLogout(
  app: FastifyInstance,
  { settings, db }: { settings: Settings; db: Db },
): Promise<void> {
  if (settings.OPENID_PROVIDERS === '') return
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: BODY_LIMIT },
      (_, body, done) => done(null, new URLSearchParams(String(body))),
    )
    scope.post(
      '/sign-on/:provider/back-channel-logout',
      { bodyLimit: BODY_LIMIT },
      async (request, reply) => {
        const provider = providerOf(settings, (request.params as { provider: string }).provider)
        const token = request.body instanceof URLSearchParams ? request.body.get('logout_token') : null
        if (!token) throw problem('badLogoutToken')
        const signedOut = await verifyLogoutToken(db, settings, provider, token)
        const ended = await endSessionsSignedOn(db, signedOut)
        request.log.info({ id: request.id, provider: provider.id, ended }, 'a provider signed somebody out')
        return reply.code(200).header('cache-control', 'no-store').send()
      },
    )
  })
}
