import { createServer, type Socket } from 'node:net'
import { decodeMail } from './mails.ts'

export interface MailServer {
  url: string
  /** Received mails with the addresses of their envelopes. */
  mails: { to: string[]; from: string; text: string }[]
  /** All received lines. */
  lines: string[]
  /** Stops the server and closes open connections. */
  end(): void
}

interface Behaviour {
  /** The server never sends anything. */
  mute?: boolean
  /** Reply to a rejected recipient, such as '550 unknown'; undefined accepts the recipient. */
  refusalOf?: (address: string) => string | undefined
}

/** A mail server on the loopback, which by default accepts everything. */
export async function startMailServer({ mute, refusalOf }: Behaviour = {}): Promise<MailServer> {
  const mails: MailServer['mails'] = []
  const lines: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    if (!mute) receive(socket, { mails, lines, refusalOf })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const end = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { url: `smtp://127.0.0.1:${port}`, mails, lines, end }
}

function receive(
  socket: Socket,
  { mails, lines: received, refusalOf }: Pick<MailServer, 'mails' | 'lines'> & Behaviour,
): void {
  const reply = (text: string) => socket.write(`${text}\r\n`)
  let [buffered, inData] = ['', false]
  let mail = { to: [] as string[], from: '', text: '' }
  const handleLine = (line: string) => {
    if (inData && line !== '.') mail.text += `${line.replace(/^\./, '')}\n`
    else if (inData) {
      inData = false
      mails.push({ ...mail, text: decodeMail(mail.text) })
      reply('250 taken')
    } else if (/^(EHLO|HELO)/i.test(line)) reply('250 here')
    else if (/^MAIL FROM/i.test(line)) {
      mail = { to: [], from: line, text: '' }
      reply('250 ok')
    } else if (/^RCPT TO/i.test(line)) {
      const address = line.match(/<(.*)>/)![1]
      const refusal = refusalOf?.(address)
      if (!refusal) mail.to.push(address)
      reply(refusal ?? '250 ok')
    } else if (/^DATA/i.test(line)) {
      inData = true
      reply('354 go on')
    } else if (/^QUIT/i.test(line)) {
      reply('221 bye')
      socket.end()
    } else reply('502 what')
  }
  socket.on('data', (chunk) => {
    const lines = (buffered + chunk).split('\r\n')
    buffered = lines.pop()!
    received.push(...lines)
    for (const line of lines) handleLine(line)
  })
  reply('220 loopback')
}
