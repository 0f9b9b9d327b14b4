import { createHash } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server'
import { sql } from 'kysely'
import type { Call } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import { relyingParty } from '../relyingParty.ts'
import { CHALLENGE_MINUTES, storeChallenge, takeChallenge } from './passkeyChallenge.ts'

/** Maximum number of passkeys of one person. */
export const MAX_PASSKEYS = 10
/** Signatures that keys may make: EdDSA, ES256 and RS256, as numbers of COSE. */
const ALGORITHMS = [-8, -7, -257]
/** Ways to reach an authenticator that browsers know; others are not stored. */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']
const TIMEOUT_MS = CHALLENGE_MINUTES * 60_000

type PasskeyCall = Pick<Call, 'db' | 'settings' | 'request'>
interface Person {
  id: number
  username: string
}
interface StoredKey {
  id: number
  credential_id: string
  public_key: Buffer
  counter: number
  transports: string[]
}

/** Loaded with the first passkey, because most installations have none. */
const webauthn = () => import('@simplewebauthn/server')

/**
 * What a browser needs to make a new passkey for a person, with a challenge for the session or step whose token has
 * this hash. A passkey of theirs that the authenticator holds already is not made again.
 */
export async function creationOptions(
  call: PasskeyCall,
  { id, username }: Person,
  tokenHash: Buffer,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await webauthn()
  const party = relyingParty(call)
  const options = await generateRegistrationOptions({
    rpName: call.settings.PRODUCT_NAME,
    rpID: party.id,
    userName: username,
    userID: userHandle(party.id, id),
    attestationType: 'none',
    excludeCredentials: (await keysOf(call.db, id)).map(asDescriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: ALGORITHMS,
    timeout: TIMEOUT_MS,
  })
  await storeChallenge(call.db, tokenHash, 'create', options.challenge)
  return options
}

/**
 * The public key of a new passkey, if the browser made it here and now for this session or step; undefined otherwise.
 * Certificates of makers are refused: nobody asks for them, and verifying one can call an address that it names.
 */
export async function newPasskey(
  call: PasskeyCall,
  tokenHash: Buffer,
  made: unknown,
): Promise<WebAuthnCredential | undefined> {
  const challenge = await takeChallenge(call.db, tokenHash, 'create')
  if (challenge === undefined) return undefined
  const { verifyRegistrationResponse } = await webauthn()
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  const party = relyingParty(call)
  const response = made as RegistrationResponseJSON
  try {
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject))
    const isSelfSigned = attestation.get('fmt') === 'packed' && !attestation.get('attStmt').get('x5c')
    if (attestation.get('fmt') !== 'none' && !isSelfSigned) return undefined
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    return registrationInfo?.credential
  } catch (error) {
    return refused(call, error)
  }
}

/** Stores a passkey; false if somebody has it already, or the person has too many. */
export async function storePasskey(
  db: Db,
  staff: number,
  name: string,
  { id, publicKey, counter, transports = [] }: WebAuthnCredential,
): Promise<boolean> {
  const known = transports.filter((transport) => TRANSPORTS.includes(transport))
  // Locked, so that two at once do not pass the limit.
  await sql`select 1 from staff where id = ${staff} for update`.execute(db)
  const { rows } = await sql`insert into passkey (staff, credential_id, public_key, counter, transports, name)
      select ${staff}, ${id}, ${Buffer.from(publicKey)}, ${counter}, ${known}::text[], ${name}
      where (select count(*) from passkey where staff = ${staff}) < ${MAX_PASSKEYS}
      on conflict do nothing returning 1`.execute(db)
  return rows.length === 1
}

/**
 * What a browser needs to use a passkey of a person. With `verified` the authenticator must verify who holds it, by a
 * PIN or a finger; otherwise that somebody holds it is enough, because the password went before.
 */
export async function requestOptions(
  call: PasskeyCall,
  staff: number,
  tokenHash: Buffer,
  { verified }: { verified: boolean },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(call).id,
    allowCredentials: (await keysOf(call.db, staff)).map(asDescriptor),
    userVerification: verified ? 'required' : 'preferred',
    timeout: TIMEOUT_MS,
  })
  await storeChallenge(call.db, tokenHash, 'use', options.challenge)
  return options
}

/** True if a passkey of the person has signed the challenge of this session or step. */
export async function usePasskey(
  call: PasskeyCall,
  staff: number,
  tokenHash: Buffer,
  signed: unknown,
  { verified }: { verified: boolean },
): Promise<boolean> {
  const challenge = await takeChallenge(call.db, tokenHash, 'use')
  if (challenge === undefined) return false
  const response = signed as AuthenticationResponseJSON
  const key = (await keysOf(call.db, staff)).find(({ credential_id }) => credential_id === response.id)
  if (!key) return false
  const { verifyAuthenticationResponse } = await webauthn()
  const party = relyingParty(call)
  try {
    const { verified: isSigned, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: verified,
      credential: {
        id: key.credential_id,
        publicKey: new Uint8Array(key.public_key),
        counter: key.counter,
      },
    })
    return isSigned && (await countUse(call.db, key.id, authenticationInfo.newCounter))
  } catch (error) {
    return refused(call, error) ?? false
  }
}

/** Stores the counter of the authenticator; false if it did not rise, as that of a copied key does not. */
async function countUse(db: Db, id: number, counter: number): Promise<boolean> {
  const { rows } = await sql`update passkey set counter = ${counter}, used_at = now()
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0)) returning 1`.execute(db)
  return rows.length === 1
}

/** Logs why an answer of an authenticator was refused, which may be a copied key, without what was sent. */
function refused({ request }: PasskeyCall, error: unknown): undefined {
  const reason = (error as Error).message.replaceAll(/"[^"]*"/g, '"…"').slice(0, 100)
  request.log.warn({ id: request.id, reason }, 'a passkey was refused')
}

async function keysOf(db: Db, staff: number): Promise<StoredKey[]> {
  const { rows } = await sql<StoredKey>`select id, credential_id, public_key, counter, transports from passkey
    where staff = ${staff} order by id`.execute(db)
  return rows
}

const asDescriptor = ({ credential_id: id, transports }: StoredKey) => ({ id, transports })

/**
 * The user handle (WebAuthn) that authenticators store: the same for all passkeys of a person, with nothing about them.
 */
function userHandle(host: string, staff: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(`${host} person ${staff}`).digest())
}
