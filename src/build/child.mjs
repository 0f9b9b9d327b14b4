import { fork } from 'node:child_process'

// Time after which a server that is stopping is killed, in milliseconds; its own timeout is 15 seconds.
const STOP_TIMEOUT = 20_000

/**
 * The server as a child process that can be restarted and sent events. It leads its own process group, so that Ctrl-C
 * reaches it once, through `stop`, and it can finish its work. The only message it sends asks for a restart.
 */
export function serverProcess(program, args, onRestartRequest) {
  let child

  const start = () => {
    const env = { ...process.env, DEV: '1', NODE_ENV: 'development' }
    const started = fork(program, args, { env, detached: true, execArgv: ['--enable-source-maps'] })
    child = started
    started.on('message', onRestartRequest)
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
    const late = setTimeout(() => ending.kill('SIGKILL'), STOP_TIMEOUT)
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
    send: (event, data) => {
      if (child?.connected) child.send({ event, data })
    },
  }
}
