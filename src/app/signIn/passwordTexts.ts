/** Texts of the pages that set a new password. */
export const PASSWORD_TEXTS = {
  linkSent: 'If we know this user name, an email with a link is on its way.',
  noUsername: 'Enter your user name.',
  tooLate: 'This link was used already or is too old. Ask for a new one.',
  newPassword: 'Your new password is set. Sign in with it.',
}
