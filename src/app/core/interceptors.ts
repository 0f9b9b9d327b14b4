import {
  type AxiosError,
  AxiosHeaders,
  type AxiosResponse,
  CanceledError,
  type InternalAxiosRequestConfig,
} from 'axios'
import { callOf, isAddressOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import { makeCall } from '../../engine/core/calls.ts'
import { requestIdOf } from '../../engine/core/describeError.ts'
import { fieldErrors } from '../../engine/core/fieldErrors.ts'
import { http } from '../../engine/core/http.ts'
import { causeOf, notify } from '../../engine/core/notices.ts'
import { noticesOf } from './errors.ts'
import { leftOf } from './idle.ts'
import { clearSession, currentSession } from './session.ts'
import { store, stored, storedTime } from './storage.ts'

type Config = InternalAxiosRequestConfig & { isRetry?: true; isProved?: true; background?: true }

const CHANGES = new Set(['post', 'put', 'patch', 'delete'])

/** Adds the token and the CSRF token to every request, and emits notices of errors. Returns the function to undo it. */
export function addInterceptors(contract: Contract): () => void {
  const csrf = csrfOf(contract)
  const request = http.interceptors.request.use(async (config) => {
    const { headers } = config
    const token = stored('token')
    const { covered, isChangingHands } = currentSession()
    if (token === null && (covered || isChangingHands) && isForStaff(contract, config))
      throw new CanceledError()
    if (token !== null && !headers.has('Authorization')) headers.set('Authorization', `Token ${token}`)
    if (!headers.has('X-Csrftoken')) {
      const value = stored('csrf') ?? (CHANGES.has(config.method ?? 'get') ? await csrf() : null)
      if (value !== null) headers.set('X-Csrftoken', value)
    }
    return config
  })
  const response = http.interceptors.response.use(onResponse, (error: AxiosError) =>
    onError(error, contract, csrf),
  )
  return () => {
    http.interceptors.request.eject(request)
    http.interceptors.response.eject(response)
  }
}

function onResponse(response: AxiosResponse): AxiosResponse {
  if (!(response.config as Config).background) store('lastResponse', String(Date.now()))
  return response
}

async function onError(
  error: AxiosError,
  contract: Contract,
  csrf: () => Promise<string>,
): Promise<AxiosResponse> {
  const config = error.config as Config | undefined
  if (config && !config.isRetry && isCsrf(error)) {
    const headers = AxiosHeaders.from(config.headers).set('X-Csrftoken', await csrf())
    return http.request({ ...config, headers, isRetry: true } as Config)
  }
  // The call was not made, so it is sent again as it is, with its idempotency key.
  if (config && !config.isProved && (await isProved(contract, error)))
    return http.request({ ...config, headers: AxiosHeaders.from(config.headers), isProved: true } as Config)
  const sent = config?.headers?.get('Authorization')
  if (error.response?.status === 401 && sent) {
    // A late 401 of an old session must not end the new one.
    if (sent === `Token ${stored('token')}`) clearSession(isIdle() ? 'expired' : 'ended')
  } else {
    const isShown = error.response ? config?.showsFields && fieldErrors(error) : config?.showsLoss
    const notices = isShown ? [] : await noticesOf(error, contract)
    // So that the screen shows no second notice of this error.
    Object.assign(error, { isNotified: notices.length > 0 })
    for (const notice of notices) notify({ cause: causeOf(config), requestId: requestIdOf(error), ...notice })
  }
  throw error
}

/** True for a call that needs a session: a page that is covered must not make it without one. */
function isForStaff({ endpoints }: Contract, { method = 'get', url = '' }: Config): boolean {
  const isThis = ({ method: name, path }: { method: string; path: string }) =>
    name === method.toUpperCase() && isAddressOf(path, url)
  return !Object.values(endpoints).some((one) => one.roles === 'public' && isThis(callOf(one)))
}

function isIdle(): boolean {
  return leftOf(storedTime('lastResponse'), Date.now()) === 0
}

function isCsrf({ response }: AxiosError): boolean {
  return response?.status === 403 && (response.data as { code?: unknown } | null)?.code === 'csrf'
}

/** True if a call was refused until the person proves who they are, and they did; the code for it is loaded late. */
async function isProved(contract: Contract, error: AxiosError): Promise<boolean> {
  if (error.response?.status !== 403) return false
  const { askForProof } = await import('../signIn/askForProof.tsx')
  return askForProof(contract, error)
}

/** Fetches a new CSRF token and stores it; concurrent calls share one request. */
function csrfOf(contract: Contract): () => Promise<string> {
  let running: Promise<string> | undefined
  const fetchOne = async () => {
    const { csrftoken } = await makeCall<{ csrftoken: string }>(contract, 'auth.csrf')
    store('csrf', csrftoken)
    return csrftoken
  }
  return () => {
    running ??= fetchOne().finally(() => {
      running = undefined
    })
    return running
  }
}
