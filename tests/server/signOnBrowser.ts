import { type Caller, type Reply, signIn, type TestContext } from './context.ts'

/** A browser that signs in at a provider and comes back, with its cookies at both. */
export interface SignOnBrowser {
  /** Begins at the product; the address at the provider. */
  start(purpose?: string, as?: Caller): Promise<Reply>
  /** Signs in at the provider as a subject, if it asks, which `asked` notes; the address that it sends the browser back to. */
  visit(url: string, subject: string, asked?: string[]): Promise<URL>
  /** Comes back to the product. */
  finish(answer: URL, as?: Caller, cookies?: boolean): Promise<Reply>
  /** All three. */
  signOn(subject: string, purpose?: string, as?: Caller): Promise<Reply>
  /** The session of a reply, as a caller. */
  callerOf(reply: Reply): Caller
}

/** A new browser, which knows one provider of the product. */
export async function signOnBrowser(
  { contract, address }: Pick<TestContext, 'contract' | 'address'>,
  provider = 'council',
): Promise<SignOnBrowser> {
  const nobody = await signIn(contract, address, '')
  const jar = new Map<string, string>()
  const remote = new Map<string, string>()
  const keep = (cookies: Map<string, string>, headers: Headers) => {
    for (const cookie of headers.getSetCookie()) {
      const [, name, value] = cookie.match(/^([^=]+)=([^;]*)/)!
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(cookie)) cookies.delete(name)
      else cookies.set(name, value)
    }
  }
  const headersOf = (caller: Caller, isSame = true) => ({
    cookie: [caller.headers.cookie, ...(isSame ? [text(jar)] : [])].filter(Boolean).join('; '),
  })
  const browser: SignOnBrowser = {
    start: async (purpose = 'sign in', as = nobody) => {
      const reply = await as('signOn.start', { body: { provider, purpose }, headers: headersOf(as) })
      keep(jar, reply.headers)
      return reply
    },
    visit: async (url, subject, asked) => {
      let at = new URL(url)
      for (let step = 0; step < 10 && at.origin !== address; step++) {
        const isForm = at.pathname.startsWith('/interaction/')
        if (isForm) asked?.push(at.pathname)
        const reply = await fetch(at, {
          redirect: 'manual',
          headers: { cookie: text(remote) },
          ...(isForm && { method: 'POST', body: new URLSearchParams({ login: subject }) }),
        })
        keep(remote, reply.headers)
        const location = reply.headers.get('location')
        if (!location) throw new Error(`${at.pathname} answers ${reply.status}: ${await reply.text()}`)
        at = new URL(location, at)
      }
      return at
    },
    finish: async (answer, as = nobody, isSame = true) => {
      const body = { provider, query: answer.search.slice(1) }
      const reply = await as('signOn.finish', { body, headers: headersOf(as, isSame) })
      keep(jar, reply.headers)
      return reply
    },
    signOn: async (subject, purpose, as) => {
      const { body } = await browser.start(purpose, as)
      return browser.finish(await browser.visit(body.url, subject), as)
    },
    callerOf: ({ body }) => {
      const headers = { ...nobody.headers, authorization: `Token ${body.key}` }
      const call = (name: string, options: Parameters<Caller>[1] = {}) =>
        nobody(name, { ...options, headers: { authorization: headers.authorization, ...options.headers } })
      return Object.assign(call, { id: body.user.id, key: body.key, headers, raw: nobody.raw }) as Caller
    },
  }
  return browser
}

const text = (cookies: Map<string, string>) => [...cookies].map((pair) => pair.join('=')).join('; ')
