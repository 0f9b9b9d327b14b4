import { AnchorButton } from '@blueprintjs/core'
import type { MouseEvent, ReactNode } from 'react'
import { ForgottenLink } from './Login.tsx'
import { chooseProvider, openSignOn } from './openSignOn.ts'
import { signOnSettings } from './signOnSettings.ts'

/**
 * A button for each provider that people sign in with, and the form for a password, collapsed if passwords are only for
 * emergencies. With `inWindow` the page of a provider opens in a separate window, so that this page stays.
 */
export default function SignOnWays({ inWindow, form }: { inWindow: boolean; form: ReactNode }) {
  const { providers, passwords } = signOnSettings()
  return (
    <>
      {providers.map(({ id, name }) => (
        <AnchorButton
          key={id}
          className="sign-on"
          href={`/sign-on/${id}`}
          intent="primary"
          size="large"
          fill
          text={`Sign in with ${name}`}
          onClick={(event: MouseEvent) => {
            if (!inWindow) return chooseProvider(id)
            event.preventDefault()
            openSignOn(id)
          }}
        />
      ))}
      {passwords ? (
        form
      ) : (
        <details>
          <summary>Emergency sign-in</summary>
          {form}
        </details>
      )}
      {passwords && !inWindow && <ForgottenLink />}
    </>
  )
}
