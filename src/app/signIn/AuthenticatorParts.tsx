import { Button } from '@blueprintjs/core'

/** A secret for an authenticator app, as the server replies with it. */
export interface Enrolment {
  secret: string
  address: string
  qr: { size: number; path: string }
}

/** The QR code and the secret to enter into an authenticator app. */
export function Secret({ enrolment: { secret, qr } }: { enrolment: Enrolment }) {
  return (
    <>
      <p>Scan this with an authenticator app on your telephone, then enter the code that the app shows.</p>
      <svg className="qr" role="img" aria-label="QR code of the secret" viewBox={`0 0 ${qr.size} ${qr.size}`}>
        {/* QR readers need dark on light, in a dark theme too. */}
        <rect width={qr.size} height={qr.size} fill="white" />
        <path d={qr.path} fill="black" />
      </svg>
      <p>
        Or enter this secret into the app: <code>{secret}</code>
      </p>
    </>
  )
}

/** Recovery codes, which are shown once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <>
      <p>
        Keep these codes where you find them without your telephone or passkey, on paper or in a password
        manager. Each works once in place of your second factor. They are not shown again.
      </p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Button intent="primary" size="large" fill text="I have kept them" onClick={onDone} />
    </>
  )
}
