import { createServer, type Socket } from 'node:net'
import { decodeMail } from './mails.ts'

export interface MailServer {
  url: string
  /** What came, whole, with the addresses of the envelope. */
  mails: { to: string[]; from: string; text: string }[]
  /** Every line that came. */
  lines: string[]
  /** Ends connections that are still open, too. */
  end(): void
}

/** A mail server on the loopback that takes everything, or `mute`, one that never says a word. */
export async function startMailServer(mute = false): Promise<MailServer> {
  const mails: MailServer['mails'] = []
  const lines: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    if (!mute) receive(socket, mails, lines)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const end = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { url: `smtp://127.0.0.1:${port}`, mails, lines, end }
}

function receive(socket: Socket, mails: MailServer['mails'], received: string[]): void {
  const say = (text: string) => socket.write(`${text}\r\n`)
  let [held, inData] = ['', false]
  let mail = { to: [] as string[], from: '', text: '' }
  const hear = (line: string) => {
    if (inData && line !== '.') mail.text += `${line.replace(/^\./, '')}\n`
    else if (inData) {
      inData = false
      mails.push({ ...mail, text: decodeMail(mail.text) })
      say('250 taken')
    } else if (/^(EHLO|HELO)/i.test(line)) say('250 here')
    else if (/^MAIL FROM/i.test(line)) {
      mail = { to: [], from: line, text: '' }
      say('250 ok')
    } else if (/^RCPT TO/i.test(line)) {
      mail.to.push(line.match(/<(.*)>/)![1])
      say('250 ok')
    } else if (/^DATA/i.test(line)) {
      inData = true
      say('354 go on')
    } else if (/^QUIT/i.test(line)) {
      say('221 bye')
      socket.end()
    } else say('502 what')
  }
  socket.on('data', (piece) => {
    const lines = (held + piece).split('\r\n')
    held = lines.pop()!
    received.push(...lines)
    for (const line of lines) hear(line)
  })
  say('220 loopback')
}
