import { fork } from 'node:child_process'

// How long a server may take to finish what it does, in milliseconds; it gives itself 15 seconds.
const PATIENCE = 20_000

/**
 * The server as a process that can be started anew and told things. It leads its own process group, so that Ctrl-C
 * reaches it once, through `stop`, and it can finish its work. All it ever says is that it wants to be started anew.
 */
export function serverProcess(program, args, onRestartWanted) {
  let child

  const start = () => {
    const env = { ...process.env, DEV: '1', NODE_ENV: 'development' }
    const started = fork(program, args, { env, detached: true, execArgv: ['--enable-source-maps'] })
    child = started
    started.on('message', onRestartWanted)
    started.once('exit', (code) => {
      if (child !== started) return
      child = undefined
      console.error(`The server ended with code ${code}; the next change starts it again.`)
    })
  }

  const stop = async () => {
    const ending = child
    if (!ending) return
    child = undefined
    const gone = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill('SIGTERM')
    const late = setTimeout(() => ending.kill('SIGKILL'), PATIENCE)
    await gone
    clearTimeout(late)
  }

  return {
    stop,
    restart: async () => {
      await stop()
      start()
    },
    isRunning: () => child !== undefined,
    tell: (event, data) => {
      if (child?.connected) child.send({ event, data })
    },
  }
}
