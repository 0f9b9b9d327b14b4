/** The data of each event of a stream. */
export async function* eventsOf(
  reply: Response,
): AsyncGenerator<{ entity: string; id: number; version: number }[]> {
  let text = ''
  const words = new TextDecoder()
  for await (const piece of reply.body as unknown as AsyncIterable<Uint8Array>) {
    text += words.decode(piece, { stream: true })
    const parts = text.split('\n\n')
    text = parts.pop()!
    for (const part of parts) {
      const data = part.split('\n').find((line) => line.startsWith('data: '))
      if (data) yield JSON.parse(data.slice(6))
    }
  }
}
