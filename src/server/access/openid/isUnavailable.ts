const CODES = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_JSON'])

/** True if an error of openid-client means that the provider cannot be reached or fails, and has decided nothing. */
export function isUnavailable(error: unknown): boolean {
  const {
    code = '',
    cause,
    message = '',
    status = 0,
  } = (error ?? {}) as {
    code?: string
    cause?: unknown
    message?: string
    status?: number
  }
  if (CODES.has(code) || status >= 500) return true
  if (error instanceof TypeError && message === 'fetch failed') return true
  return cause instanceof Response ? cause.status >= 500 : false
}
