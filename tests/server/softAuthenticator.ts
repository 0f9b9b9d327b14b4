import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 }

/** What an attacker can change in an answer. */
interface Forgery {
  origin?: string
  host?: string
  challenge?: string
  counter?: number
  isVerified?: boolean
  /** Id of another passkey. */
  id?: string
  type?: string
  /** CBOR of another attestation than none. */
  attestation?: Buffer
}
interface Options {
  challenge: string
}

/** An authenticator of WebAuthn in software, with one passkey (ES256) that it makes for the page of an address. */
export function softAuthenticator(address: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credential = randomBytes(32)
  const { origin, hostname } = new URL(address)
  let counter = 0
  const clientData = (type: string, { challenge }: Options, forged: Forgery) =>
    Buffer.from(
      JSON.stringify({
        type: forged.type ?? type,
        challenge: forged.challenge ?? challenge,
        origin: forged.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const data = (flags: number, forged: Forgery, attested = Buffer.alloc(0)) => {
    const head = Buffer.alloc(5)
    head[0] = flags | FLAGS.present | (forged.isVerified === false ? 0 : FLAGS.verified)
    head.writeUInt32BE(forged.counter ?? counter, 1)
    return Buffer.concat([sha256(Buffer.from(forged.host ?? hostname)), head, attested])
  }
  const answer = (forged: Forgery, response: object) => {
    const id = forged.id ?? credential.toString('base64url')
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }
  return {
    id: credential.toString('base64url'),
    /** Makes the passkey: what a browser sends for the options of the server. */
    make(options: Options, forged: Forgery = {}) {
      const { x, y } = publicKey.export({ format: 'jwk' })
      const key = Buffer.concat([
        Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
        bytes(Buffer.from(x!, 'base64url')),
        Buffer.from([0x22]),
        bytes(Buffer.from(y!, 'base64url')),
      ])
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, credential.length]), credential, key])
      const authData = bytes(data(FLAGS.attested, forged, attested))
      const statement = forged.attestation ?? Buffer.concat([text('fmt'), text('none'), text('attStmt'), MAP])
      const attestation = Buffer.concat([Buffer.from([0xa3]), statement, text('authData'), authData])
      return answer(forged, {
        clientDataJSON: clientData('webauthn.create', options, forged).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal', 'telepathy'],
      })
    },
    /** Uses the passkey. */
    sign(options: Options, forged: Forgery = {}) {
      counter++
      const clientDataJSON = clientData('webauthn.get', options, forged)
      const authenticatorData = data(0, forged)
      const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)])
      return answer(forged, {
        clientDataJSON: clientDataJSON.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      })
    },
  }
}

const MAP = Buffer.from([0xa0])

/** CBOR of a text of less than 24 bytes. */
export const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])

/** CBOR of 24 bytes or more, with the shortest length, as it must be. */
function bytes(value: Buffer): Buffer {
  const { length } = value
  const head = length < 256 ? [0x58, length] : [0x59, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), value])
}

const sha256 = (value: Buffer) => createHash('sha256').update(value).digest()
