import axios from 'axios'

/** The HTTP client. The shell adds the token, the CSRF header and error handling as interceptors. */
export const http = axios.create({ headers: { Accept: 'application/json' }, timeout: 30_000 })
