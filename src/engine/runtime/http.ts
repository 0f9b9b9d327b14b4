import axios from 'axios'

/** The one HTTP client. The shell adds the token, the anti-forgery header and what happens on errors. */
export const http = axios.create({ headers: { Accept: 'application/json' }, timeout: 30_000 })
