import type { FastifyInstance } from 'fastify'
import type { Settings } from '../core/settings.ts'
import { StartProblem } from '../core/startProblem.ts'
import { patience } from './patience.ts'

/** Serves at HOST and PORT and returns the address; throws a StartProblem if that is not possible. */
export async function listen(
  app: FastifyInstance,
  { HOST, PORT }: Pick<Settings, 'HOST' | 'PORT'>,
  waiting = patience(),
): Promise<string> {
  try {
    return await whenFree('PORT', PORT, () => app.listen({ host: HOST, port: PORT }), waiting)
  } catch (error) {
    await app.close()
    const { code } = error as { code?: string }
    if (code === 'EACCES')
      throw new StartProblem(`Port ${PORT} may not be opened by this user. Set PORT to one above 1024.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartProblem(`HOST ${HOST} is not an address of this machine.`)
    throw error
  }
}

/**
 * Repeats `open` while the port of a setting is in use, since a server that is stopping listens until its proxy has
 * seen that.
 */
export async function whenFree<T>(
  setting: string,
  port: number,
  open: () => Promise<T>,
  waiting = patience(),
): Promise<T> {
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if ((error as { code?: string }).code !== 'EADDRINUSE') throw error
      const held = `Port ${port} is in use by another program.`
      if (!(await waiting.wait(held)))
        throw new StartProblem(`${held} Stop it, or set ${setting} to another one.`)
    }
  }
}
