/** Texts of the shell. Those marked literal are the specification's words, misspellings included. */
export const MESSAGES = {
  warning: 'Warning', // literal
  denied: 'Access is denied', // literal
  serverError: 'Something wend wrong', // literal
  tooLarge: 'Uploaded file is too large', // literal
  offline: 'No connection to the server',
  noConnection: 'No connection. What you type is kept on this page until it is back',
  notLoaded: 'This page could not be loaded from the server.',
  unreadable: (status: number) => `The server answered with an error (${status})`,

  signOut: 'Are you sure you want to sign out?', // literal
  losesCase: 'You will lost all case changes.', // literal
  loses: (what = 'form') => `You will lose the ${what} you have begun.`,
  expired: 'You were signed out because nothing was done here for a while.',
  ended: 'You were signed out because your session was ended.',
  savedKept: 'What was saved is kept.',
  draftKept: (what: string) => `Your unfinished ${what} is kept as a draft.`,
  thanks: 'You are signed out',
  leftElsewhere:
    'You signed out in another tab. Sign in again here to go on where you were. What you typed here is kept until you close this page.',

  leftWork: (n: number) =>
    n === 1 ? '1 piece of work was left behind' : `${n} pieces of work were left behind`,
  allocations: (n: number) =>
    n === 1 ? '1 issue waits for an advocate' : `${n} issues wait for an advocate`,
  oldCases: (n: number) => `You have ${n} old cases`, // literal
  newRequests: (n: number) => `You got ${n} new referral requests`, // literal
  newMessages: (n: number) => `You got ${n} new referral messages`, // literal
  invalidCases: (n: number) => `You have ${n} invalid cases`, // literal
  unread: (n: number) => (n === 1 ? '1 new notification' : `${n} new notifications`),
  allNews: (n: number) => (n === 1 ? 'See what is new to you' : `See all ${n} that are new to you`),
  noticesNotLoaded: 'Not everything that waits for you could be loaded.',
  noNotifications: 'You have no Notifications.', // literal

  searching: 'Searching...', // literal
  searchHelp: 'Client name or client ID',
  unanswered: 'Needs an answer',
  showUnasked: 'Show the questions that a form does not ask, and why',
  hideUnasked: 'Hide the questions that a form does not ask',
  advancedSearch: 'Go to advanced search', // literal
  noClients: 'No clients match',
  noRecords: 'No case or issue with that number',

  wrongPassword: 'Your user name or password is wrong.',
  emptyLogin: 'Enter your user name and password.',
  noRole: 'You have no role yet, so there is nothing to show. Ask an administrator to give you one.',
}
