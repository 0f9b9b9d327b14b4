/** Texts of the parts that are loaded when somebody proves who they are. */
export const PROOF_TEXTS = {
  signOnFailed: 'You could not be signed in. Try again in a moment.',
  noProvider: 'This address is not used to sign in here.',
  emptyPassword: 'Enter your password.',
  whyProof: 'You signed in more than five minutes ago. What you typed stays as it is.',
  noWindow: 'Your browser did not open the window. Allow it for this site, and try again.',
  noProof: 'You have no way to confirm it here. Sign out and in again, and do it within five minutes.',
  noPasskey: 'Your browser did not use a passkey. Try again, or use another way.',
  passkeyKnown: 'You already have a passkey on this device.',
  emptyPasskeyName: 'Enter a name by which you recognise it.',
  emptyCode: 'Enter a code.',
  stepEnded: 'This sign-in took too long. Begin again.',
}
