import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { isAxiosError } from 'axios'
import type { Contract } from '../../contract/contract.ts'
import { makeCall } from '../../engine/core/calls.ts'
import { isUnanswered } from '../../engine/core/http.ts'
import { MESSAGES } from '../core/messages.ts'
import { PROOF_TEXTS } from './proofTexts.ts'
import { refusalOf, refusalText } from './refusal.ts'

/** Two calls: the first returns the options for the browser, the second takes the reply of its authenticator. */
interface Ceremony {
  ask: string
  askBody?: object
  send: string
  sendBody?: object
}

/** Loaded when somebody clicks: most people have no passkey. */
const authenticator = () => import('./askAuthenticator.ts')

/** Uses a passkey of the person; resolves with the reply of the server. */
export async function usePasskey<T>(contract: Contract, ceremony: Ceremony): Promise<T> {
  const options = await optionsOf<PublicKeyCredentialRequestOptionsJSON>(contract, ceremony)
  const { signWithPasskey } = await authenticator()
  return send<T>(contract, ceremony, await signWithPasskey(options))
}

/** Makes a passkey for the person; resolves with the reply of the server. */
export async function addPasskey<T>(contract: Contract, ceremony: Ceremony): Promise<T> {
  const options = await optionsOf<PublicKeyCredentialCreationOptionsJSON>(contract, ceremony)
  const { makePasskey } = await authenticator()
  return send<T>(contract, ceremony, await makePasskey(options))
}

/** The error text of a passkey that failed; undefined if a notice shows the error. */
export function passkeyError(reason: unknown, field = ''): string | undefined {
  if (isAxiosError(reason))
    return refusalText(refusalOf(reason), field) ?? (isUnanswered(reason) ? MESSAGES.offline : undefined)
  const { name } = reason as Error
  return name === 'InvalidStateError' ? PROOF_TEXTS.passkeyKnown : PROOF_TEXTS.noPasskey
}

async function optionsOf<Options>(contract: Contract, { ask, askBody }: Ceremony): Promise<Options> {
  return (await makeCall<{ options: Options }>(contract, ask, { body: askBody })).options
}

function send<T>(contract: Contract, { send: call, sendBody }: Ceremony, credential: object): Promise<T> {
  return makeCall<T>(contract, call, { body: { ...sendBody, credential } })
}
