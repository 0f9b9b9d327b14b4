/** If no event arrives for this many ms, a proxy is buffering the stream. */
const FIRST_EVENT_TIMEOUT_MS = 5000

/**
 * Reads server-sent events with JSON data until the stream ends. Returns 'nothing' if it opened without an event,
 * as behind a buffering proxy; 'ended' otherwise.
 */
export async function readEventStream<T>(
  open: () => Promise<Response>,
  onEvent: (data: T) => void,
  signal: AbortSignal,
): Promise<'ended' | 'nothing'> {
  let received = false
  let reader: ReadableStreamDefaultReader<string> | undefined
  let timeout: ReturnType<typeof setTimeout> | undefined
  // Cancelling a stream that has failed rejects with its error.
  const cancel = () => reader?.cancel().catch(() => undefined)
  try {
    const reply = await open()
    if (!reply.ok || !reply.body) return 'ended'
    reader = reply.body.pipeThrough(new TextDecoderStream()).getReader()
    timeout = setTimeout(() => !received && cancel(), FIRST_EVENT_TIMEOUT_MS)
    let text = ''
    while (!signal.aborted) {
      const { done, value } = await reader.read()
      if (done) break
      const parts = (text + value).split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const data = part.split('\n').find((line) => line.startsWith('data: '))
        if (!data) continue
        received = true
        onEvent(JSON.parse(data.slice('data: '.length)))
      }
    }
    return received || signal.aborted ? 'ended' : 'nothing'
  } catch {
    return 'ended'
  } finally {
    clearTimeout(timeout)
    cancel()
  }
}
