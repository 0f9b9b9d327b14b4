/** The part of oidc-provider, which has no types of its own, that the tests use. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }
  export interface KoaContext {
    oidc: { client: { clientId: string }; session: { accountId: string }; result?: unknown }
  }
  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options?: object,
    ): Promise<void>
    Grant: new (properties: {
      accountId: string
      clientId: string
    }) => Grant
  }
}
